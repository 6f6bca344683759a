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
  | 'not_found'
  | 'invalid_message'
  | 'thread_busy'
  | 'thread_terminated'
  | 'closed'
  | 'store_failed'
  | 'store_newer'
  | 'store_unreadable'
  | 'regex_timeout'
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
  readonly toolCallId?: string;
}

/**
 * Thrown when a hook, a turn or a store fails at run time.
 * Carries ids and codes, never a hook's data and never the text of another error: it has no `cause`.
 */
export class RunError extends Error {
  override readonly name = 'RunError';
  readonly code: RunCode;
  readonly hook: string | undefined;
  readonly id: string | undefined;
  readonly threadId: string | undefined;
  readonly toolCallId: string | undefined;

  constructor(code: RunCode, message: string, place: RunErrorPlace = {}) {
    super(message);
    this.code = code;
    this.hook = place.hook;
    this.id = place.id;
    this.threadId = place.threadId;
    this.toolCallId = place.toolCallId;
  }
}
