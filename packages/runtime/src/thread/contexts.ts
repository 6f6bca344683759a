import { DefinitionError, describeGiven } from '@spec/hooks';

/** What hooks have for the conversation, on its way into one message (design §9). */
export interface MergedContexts {
  /** The text of the message; `null` if it is empty. */
  readonly content: string | null;
  /** The texts that it holds, each once. */
  readonly texts: readonly string[];
  readonly leftOut: LeftOutContexts | null;
}

/** Texts that did not fit. */
export interface LeftOutContexts {
  readonly count: number;
  /** UTF-8 bytes. */
  readonly bytes: number;
  /** What one message may hold. */
  readonly limit: number;
}

/** Contexts on their way into a message: the turn has been told them once it is stored, not before. */
export interface TellingContexts extends MergedContexts {
  /** Those that waited in the session, or in the turn. */
  readonly waiting: readonly string[];
}

export interface MergeOptions {
  /** The UTF-8 bytes that the texts of one message may have together. Default 32 KiB. */
  readonly limit?: number | undefined;
  /** Texts that the turn has had. */
  readonly told?: Told | undefined;
}

/** The texts that a turn has had. */
export interface Told {
  has(text: string): boolean;
}

/** 32 KiB: some 8,000 tokens, more than any hook should add to a step. */
export const CONTEXT_LIMIT: number = 32 * 1024;

const SEPARATOR = '\n\n';

/**
 * Makes one message of the texts that hooks gave, in their order.
 *
 * K1 A text appears once: not twice in a message, and not again in the same turn. Texts are the same if they are
 *    without the white space around them; an empty one says nothing.
 * K2 A text is told whole or not at all: half of an instruction may say the opposite. A shorter one after it may fit.
 * K3 Nothing is left out silently: the message says how many texts are missing, and the caller gets the count.
 */
export function mergeContexts(
  contexts: readonly string[],
  { limit = CONTEXT_LIMIT, told }: MergeOptions = {},
): MergedContexts {
  const texts: string[] = [];
  let room = limit;
  let count = 0;
  let bytes = 0;
  for (const text of new Set(contexts.map((context) => context.trim()))) {
    if (text === '' || told?.has(text)) continue;
    const size = countBytes(text) + (texts.length === 0 ? 0 : SEPARATOR.length);
    if (size > room) {
      count++;
      bytes += countBytes(text);
      continue;
    }
    room -= size;
    texts.push(text);
  }
  const leftOut = count === 0 ? null : { count, bytes, limit };
  const all = leftOut === null ? texts : [...texts, describeLeftOut(leftOut)];
  return { content: all.length === 0 ? null : all.join(SEPARATOR), texts, leftOut };
}

function describeLeftOut({ count, bytes, limit }: LeftOutContexts): string {
  const texts = count === 1 ? '1 more text' : `${count} more texts`;
  return `[Hooks had ${texts} of ${bytes} bytes for you; left out, as one message holds ${limit} bytes of them.]`;
}

/** Whether a message that was made of several texts holds one of them. */
export function holdsText(content: string, text: string): boolean {
  return `${SEPARATOR}${content}${SEPARATOR}`.includes(`${SEPARATOR}${text}${SEPARATOR}`);
}

const encoder = new TextEncoder();

function countBytes(text: string): number {
  return encoder.encode(text).length;
}

/** @throws {DefinitionError} `bad_option` */
export function checkContextLimit(limit: number | undefined): number | undefined {
  if (limit === undefined || (Number.isSafeInteger(limit) && limit > 0)) return limit;
  const message = `contextLimit must be a whole number of bytes, at least 1; got ${describeGiven(limit)}.`;
  throw new DefinitionError('bad_option', message);
}
