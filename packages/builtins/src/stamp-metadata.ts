import {
  checkOptionNames,
  DefinitionError,
  defineHook,
  type Hook,
  type HookOptions,
  type OptionNames,
  type ThreadState,
} from '@spec/hooks';

/** The fields about a message's origin that `stampMetadata` can write. */
export type StampField = 'flow_id' | 'step' | 'side' | 'thread_id' | 'agent_id' | 'user_id';

/** The options of `stampMetadata`. */
export interface StampMetadataOptions<Id extends string = string> {
  /** Default `stamp_metadata`. */
  readonly id?: Id;
  /** Which fields to write; default `flow_id`, `step` and `side`. */
  readonly fields?: readonly StampField[];
  /** Your own fields, made from the thread and the message. Must be JSON. */
  readonly extra?: (
    state: ThreadState,
    message: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown> | Promise<Record<string, unknown>>;
}

type Fields = Record<string, unknown>;

const sources: Record<StampField, (state: ThreadState) => unknown> = {
  flow_id: (state) => state.execution.flowId,
  step: (state) => state.execution.stepCount,
  side: (state) => state.execution.currentSide,
  thread_id: (state) => state.threadId,
  agent_id: (state) => state.agentId,
  user_id: (state) => state.userId,
};

/**
 * Writes a message's origin into its `metadata`. Existing metadata keeps its form, JSON
 * text or object, and existing fields are not overwritten. A message without metadata gets JSON text.
 *
 * @throws {DefinitionError} `bad_option` for an unknown field; `bad_hook` for an id that is not snake_case.
 */
export function stampMetadata<const Id extends string = 'stamp_metadata'>(
  options: StampMetadataOptions<Id> = {},
): Hook<'before_create_message', Id> {
  checkOptionNames('stampMetadata', options, optionNames);
  const { id = 'stamp_metadata' as Id, fields = ['flow_id', 'step', 'side'], extra } = options;
  const unknown = fields.find((field) => !Object.hasOwn(sources, field));
  if (unknown !== undefined) {
    throw new DefinitionError(
      'bad_option',
      `stampMetadata: there is no field "${String(unknown)}". There are ${Object.keys(sources).join(', ')}; for others use extra.`,
    );
  }
  if (extra !== undefined && typeof extra !== 'function') {
    throw new DefinitionError(
      'bad_option',
      'stampMetadata: extra must be a function that returns an object of fields.',
    );
  }
  const readOrigin = options.fields === undefined ? readUsualOrigin : readFields(fields);
  const hook: HookOptions<'before_create_message', Id> = {
    hook: 'before_create_message',
    id,
    changes: ['metadata'],
    execute: async (state, message) => {
      const origin = readOrigin(state);
      const stamps = extra === undefined ? origin : { ...origin, ...(await extra(state, message)) };
      message.metadata = stamped(message.metadata, stamps); // A hook's message is its own copy: a spread would be another one.
      return message;
    },
  };
  return defineHook<'before_create_message', string>(hook) as Hook<'before_create_message', Id>;
}

/** The default fields, which every message of a turn gets. */
function readUsualOrigin({ execution }: ThreadState): Fields {
  return { flow_id: execution.flowId, step: execution.stepCount, side: execution.currentSide };
}

function readFields(fields: readonly StampField[]): (state: ThreadState) => Fields {
  return (state) => Object.fromEntries(fields.map((field) => [field, sources[field](state)]));
}

const optionNames: OptionNames<StampMetadataOptions> = { id: true, fields: true, extra: true };

function stamped(metadata: unknown, stamps: Fields): unknown {
  if (metadata === undefined || metadata === null || metadata === '') return JSON.stringify(stamps);
  if (typeof metadata === 'string') return stampedText(metadata, stamps);
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return { value: metadata, ...stamps };
  return { ...stamps, ...metadata };
}

/** Adds the new fields before the last brace of the object's text, so that every existing byte stays. */
function stampedText(text: string, stamps: Fields): string {
  const given = readObject(text);
  if (given === undefined) return JSON.stringify({ value: text, ...stamps });
  const fresh = Object.fromEntries(
    Object.entries(stamps).filter(([field, value]) => !Object.hasOwn(given, field) && value !== undefined),
  );
  if (Object.keys(fresh).length === 0) return text;
  const closing = text.lastIndexOf('}');
  const comma = Object.keys(given).length === 0 ? '' : ',';
  return `${text.slice(0, closing)}${comma}${JSON.stringify(fresh).slice(1, -1)}${text.slice(closing)}`;
}

function readObject(text: string): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}
