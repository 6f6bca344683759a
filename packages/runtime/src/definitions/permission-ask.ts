/** What a person is asked: whether a tool call may run, a message of the user may be sent, or a model may be called. */
export type PermissionAsk = {
  /** Its own, unlike any other's: a provider gives calls the same ids again and again. What waits for an answer is known by it. */
  readonly id: string;
  readonly threadId: string;
  /** Why it is asked: the reason of the hook that asked. */
  readonly reason: string | undefined;
  /** What a hook wants the person to read. */
  readonly userMessage: string | undefined;
  /** Aborted when the answer is no longer needed. */
  readonly abortSignal: AbortSignal;
} & (
  | {
      readonly about: 'tool_call';
      readonly toolCallId: string;
      readonly tool: string;
      /** The arguments as the tool will get them, with values that stand nowhere else: show them to the person alone. */
      readonly input: unknown;
    }
  | { readonly about: 'user_message'; readonly text: string }
  | { readonly about: 'model_call'; readonly model: string }
);

/** A person's answer: `true`, or `{ allow: true }`, allows it; anything else refuses it. The reason goes to the model. */
export type PermissionAnswer = boolean | { readonly allow: boolean; readonly reason?: string };

/** Asks a person. */
export type AskPerson = (ask: PermissionAsk) => Promise<PermissionAnswer> | PermissionAnswer;
