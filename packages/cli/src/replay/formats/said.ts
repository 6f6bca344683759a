import type { RecordedMessage } from './conversation.ts';

/** What every format is read into: who said what, and which calls got which results. */
export type Said = SaidText | SaidAnswer | SaidOrphan;

export interface SaidText {
  readonly role: 'system' | 'user';
  readonly text: string;
}

/** An answer of the model with the results of its calls, wherever the file has them. */
export interface SaidAnswer {
  readonly role: 'assistant';
  readonly texts: string[];
  readonly calls: SaidCall[];
  readonly results: SaidResult[];
}

export interface SaidCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface SaidResult {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
}

/** A result of which the file does not have the call. */
export interface SaidOrphan extends SaidResult {
  readonly role: 'tool';
}

/** The messages of a conversation, and the calls whose tool failed. */
export interface Recorded {
  readonly messages: readonly RecordedMessage[];
  readonly failedCalls: ReadonlySet<string>;
}

/** An answer that has nothing yet. */
export function emptyAnswer(): SaidAnswer {
  return { role: 'assistant', texts: [], calls: [], results: [] };
}

/** What was said as messages in OpenAI chat form, each answer followed by its results in the order of its calls. */
export function makeRecorded(said: readonly Said[]): Recorded {
  const results = said.flatMap((one) => (one.role === 'assistant' ? one.results : []));
  return {
    messages: said.flatMap(makeMessages),
    failedCalls: new Set(results.filter(({ isError }) => isError).map(({ callId }) => callId)),
  };
}

function makeMessages(one: Said): RecordedMessage[] {
  if (one.role === 'assistant') return answerMessages(one);
  if (one.role === 'tool') return [resultMessage(one)];
  return one.text === '' ? [] : [{ role: one.role, content: one.text }];
}

function resultMessage({ callId, text }: SaidResult): RecordedMessage {
  return { role: 'tool', tool_call_id: callId, content: text };
}

function answerMessages({ texts, calls, results }: SaidAnswer): RecordedMessage[] {
  const content = texts.length === 0 ? null : texts.join('\n');
  if (content === null && calls.length === 0) return [];
  if (calls.length === 0) return [{ role: 'assistant', content }];
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}) },
  }));
  const answered = calls.flatMap(({ id }) => results.find(({ callId }) => callId === id) ?? []);
  return [{ role: 'assistant', content, tool_calls }, ...answered.map(resultMessage)];
}

/** A tool's output as the text that the model was sent. */
export function outputText(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
}

/** The last answer that made a call: ids may come again in a later turn. */
export function answerWithCall(said: readonly Said[], callId: string): SaidAnswer | undefined {
  return said.findLast(
    (one): one is SaidAnswer => one.role === 'assistant' && one.calls.some(({ id }) => id === callId),
  );
}
