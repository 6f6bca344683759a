import { z } from 'zod';

/**
 * A line of a Claude Code session file, as far as it is read. Only `user` and `assistant` lines hold messages; all others are
 * kept for the links between messages, which may lead over them.
 */
export interface ClaudeLine extends Links {
  readonly type: string;
  /** Where somebody speaks. */
  readonly message?: ClaudeMessage | undefined;
  /** Its number in the file. */
  readonly number: number;
}

interface ClaudeMessage {
  /** The answer's, for an answer of the model. */
  readonly id?: string | undefined;
  readonly content: string | readonly ClaudeBlock[];
}

/** A block of text, thinking, a call of a tool (`id`, `name`, `input`), or its result (`tool_use_id`, `content`). */
export interface ClaudeBlock {
  readonly type: string;
  readonly text?: string | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly input?: unknown;
  readonly tool_use_id?: string | undefined;
  readonly content?: unknown;
  readonly is_error?: boolean | null | undefined;
}

interface Links {
  readonly uuid?: string | undefined;
  readonly parentUuid?: string | null | undefined;
  readonly logicalParentUuid?: string | null | undefined;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly isSidechain?: boolean | null | undefined;
  readonly isMeta?: boolean | null | undefined;
  readonly isCompactSummary?: boolean | null | undefined;
  readonly isApiErrorMessage?: boolean | null | undefined;
}

const text = z.string({ error: 'must be text' });
const flag = z.boolean({ error: 'must be true or false' }).nullish();

const block: z.ZodType<ClaudeBlock> = z.looseObject(
  {
    type: text,
    text: text.optional(),
    id: text.optional(),
    name: text.optional(),
    tool_use_id: text.optional(),
    is_error: flag,
  },
  { error: 'must be a content block' },
);

const message: z.ZodType<ClaudeMessage> = z.looseObject(
  {
    id: text.optional(),
    content: z.union([z.string(), z.array(block)], { error: 'must be text or a list of content blocks' }),
  },
  { error: 'must be an object' },
);

const links: z.ZodObject<{ [Field in keyof Links]-?: z.ZodType<Links[Field]> }> = z.object({
  uuid: text.optional(),
  parentUuid: text.nullish(),
  logicalParentUuid: text.nullish(),
  sessionId: text.optional(),
  agentId: text.optional(),
  isSidechain: flag,
  isMeta: flag,
  isCompactSummary: flag,
  isApiErrorMessage: flag,
});

const otherLine = links.extend({ type: text });
const talkLine = otherLine.extend({ message });

/** A line that is known to be one of a session, whatever else it is: the lines of a file say what they are by `type`. */
export function isClaudeLine(value: unknown): value is object {
  return isTyped(value) && marks.some((mark) => Object.hasOwn(value, mark));
}

const marks = ['sessionId', 'uuid', 'parentUuid', 'leafUuid', 'messageId', 'message'];

function isTyped(value: unknown): value is { readonly type: string } {
  return typeof (value as { readonly type?: unknown } | null)?.type === 'string';
}

/** Reads a line, or says what is wrong with it. */
export function claudeLine(value: object, number: number): ClaudeLine | { readonly error: z.ZodError } {
  const talks = isTyped(value) && (value.type === 'user' || value.type === 'assistant');
  const { data, error } = (talks ? talkLine : otherLine).safeParse(value);
  return data === undefined ? { error } : { ...data, number };
}
