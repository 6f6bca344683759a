/**
 * Every code an error of this project can carry. Errors are told apart by what the caller should do next:
 * a {@link DefinitionError} wants a change in code or configuration, a {@link RunError} happened while something ran.
 */
export type DefinitionCode =
  | 'bad_hook'
  | 'bad_matcher'
  | 'bad_template'
  | 'bad_definition'
  | 'bad_module'
  | 'bad_option'
  | 'duplicate_id'
  | 'unknown_id'
  | 'missing_dependency';

export type RunCode =
  | 'hook_failed'
  | 'hook_timed_out'
  | 'aborted'
  | 'invalid_input'
  | 'input_too_large'
  | 'invalid_result'
  | 'late_write'
  | 'depth_exceeded'
  | 'model_failed'
  | 'model_denied'
  | 'tool_failed'
  | 'tool_timed_out'
  | 'not_found'
  | 'invalid_message'
  | 'thread_busy'
  | 'thread_terminated'
  | 'closed'
  | 'engine_failed'
  | 'store_failed'
  | 'store_newer'
  | 'store_older'
  | 'store_unreadable'
  | 'regex_timeout'
  | 'unsupported'
  | 'unexpected'
  | 'value_lost'
  | 'value_withheld'
  | 'wrong_key';

export type ErrorCode = DefinitionCode | RunCode;

/** Thrown for a wrong definition, configuration or registration. The message says what, where, and what to do. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
  readonly code: DefinitionCode;

  constructor(code: DefinitionCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Ids that say where a {@link RunError} happened. Never data. */
export interface RunErrorPlace {
  readonly hook?: string;
  readonly id?: string;
  readonly threadId?: string;
  readonly turnId?: string;
  readonly toolCallId?: string;
}

/** What errors of ours stand for. Not a property: whatever prints or logs an error would print it, too. */
const causes = new WeakMap<object, unknown>();

/**
 * What a hook threw, or a provider, where an error of ours says only that it did. It may hold data and secrets: look at it at your
 * terminal, and do not log it.
 *
 * @returns `undefined` if nothing is known, such as for an error of an earlier process
 */
export function readCause(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? causes.get(error) : undefined;
}

const WHERE_TO_LOOK = ' What was thrown: readCause(error) of @spec/hooks.';

/** Keeps what an error stands for, for {@link readCause}; an error at run time says so at the end of its message. */
export function withCause<E extends DefinitionError | RunError>(error: E, cause: unknown): E {
  if (cause === undefined) return error;
  causes.set(error, cause);
  if (error instanceof DefinitionError) return error;
  const { message, stack } = error;
  error.message = `${message}${WHERE_TO_LOOK}`;
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
  return error;
}

/** Fills in the thread and the turn of an error that does not say its thread, or says this one. */
export function withPlace<E extends RunError>(error: E, { threadId, turnId }: RunErrorPlace): E {
  const place: { threadId: string | undefined; turnId: string | undefined } = error;
  place.threadId ??= threadId;
  if (place.threadId === threadId) place.turnId ??= turnId;
  return error;
}

/** The message of an error for those who cannot look: a model, or the records. */
export function messageWithoutCause({ message }: Error): string {
  return String(message).endsWith(WHERE_TO_LOOK) ? message.slice(0, -WHERE_TO_LOOK.length) : message;
}

/**
 * Thrown when a hook, a turn or a store fails at run time.
 * Carries ids and codes, never a hook's data and never the text of another error: {@link readCause} has what was thrown.
 */
export class RunError extends Error {
  override readonly name = 'RunError';
  readonly code: RunCode;
  readonly hook: string | undefined;
  readonly id: string | undefined;
  readonly threadId: string | undefined;
  readonly turnId: string | undefined;
  readonly toolCallId: string | undefined;

  constructor(code: RunCode, message: string, place: RunErrorPlace = {}) {
    super(message);
    this.code = code;
    this.hook = place.hook;
    this.id = place.id;
    this.threadId = place.threadId;
    this.turnId = place.turnId;
    this.toolCallId = place.toolCallId;
  }
}
