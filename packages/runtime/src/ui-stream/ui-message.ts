/** A message as a front end of the AI SDK shows it; assignable to the `UIMessage` of the `ai` package. */
export interface UIMessage {
  id: string;
  role: 'user' | 'assistant';
  parts: UIMessagePart[];
}

export type UIMessagePart =
  | { type: 'step-start' }
  | { type: 'text'; text: string; state: 'done' }
  | { type: 'reasoning'; text: string; state: 'done' }
  | { type: 'file'; mediaType: string; filename: string; url: string }
  | UIToolPart;

/** A tool call, with its result where it has one. */
export type UIToolPart = { type: `tool-${string}`; toolCallId: string; input: unknown } & (
  | { state: 'input-available' }
  | { state: 'output-available'; output: unknown }
  | { state: 'output-error'; errorText: string }
  | { state: 'output-denied'; approval: { id: string; approved: false } }
);
