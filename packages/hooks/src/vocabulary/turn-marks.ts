/** Something of a turn that is no run of a hook, when it was over. Ids, names, codes, counts and times; never data. */
export type TurnMark = ModelMark | ToolMark | AskMark | EndMark;

/** Where and when it was. */
export interface MarkOrigin {
  readonly threadId: string;
  /** `null` outside of turns. */
  readonly turnId: string | null;
  readonly step: number;
  /** Microseconds since the epoch: its end. */
  readonly at: number;
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

/** A call of a model. */
export interface ModelMark extends MarkOrigin {
  readonly kind: 'model';
  /** As it is registered. */
  readonly model: string;
  /** Why it failed. */
  readonly code?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Which messages the model was sent. Absent for summaries. */
  readonly sent?: SentMessages;
}

/** What a model was sent of a thread. */
export interface SentMessages {
  /** How many messages were in the request, without the system message of its prompt. */
  readonly request: number;
  /** How many stored messages were sent: the newest ones that were not left out. */
  readonly stored: number;
  /** How many stored messages hooks left out, of those that were read. */
  readonly leftOut: number;
  /** Their ids, the newest 20 at most. */
  readonly left: readonly string[];
}

/** A tool that ran. */
export interface ToolMark extends MarkOrigin {
  readonly kind: 'tool';
  /** The id of the call. */
  readonly call: string;
  readonly tool: string;
  readonly status: 'success' | 'error';
}

/** A question to a person. */
export interface AskMark extends MarkOrigin {
  readonly kind: 'ask';
  readonly about: 'tool_call' | 'user_message' | 'model_call';
  /** The id of the call, where it is about one. */
  readonly call?: string;
  readonly allowed: boolean;
}

/** The end of a turn; `ms` counts from where it began, or went on after a crash. */
export interface EndMark extends MarkOrigin {
  readonly kind: 'end';
  readonly status: 'completed' | 'denied' | 'limit' | 'stopped' | 'aborted' | 'failed';
  /** Why it failed. */
  readonly code?: string;
}
