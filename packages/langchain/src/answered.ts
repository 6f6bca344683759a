import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { HookToolCall, HookToolResult } from '@spec/hooks';
import { passResultRow, readToolCalls, takesRefusals } from '@spec/hooks/host';
import { answersCall, isSameMessage, readCalls, readText } from './messages.ts';
import type { Running } from './turns.ts';

const UNANSWERED = 'The agent ended before this tool call was run.';

/**
 * Sends what answered calls in the place of their tools through the hooks, and to the store: LangChain itself, for a response of a schema, and
 * other middleware, for calls that a person did not approve or that are too many.
 * What hooks change is kept for the state.
 */
export async function passAnswered(running: Running): Promise<void> {
  for (const call of await listOpen(running)) {
    const message = running.messages.findLast((one) => answersCall(one, call.id)) as ToolMessage | undefined;
    if (message === undefined) continue;
    const text = readText(message) ?? '';
    const content = await passOne(running, call, makeResult(text, message.status === 'error'));
    if (content !== text) running.changed.push(changeContent(message, content));
  }
}

/** Messages with those that have changed in the places of what they were. */
export function withChanged(
  messages: readonly BaseMessage[],
  changed: readonly BaseMessage[],
): BaseMessage[] {
  return messages.map((message) => changed.findLast((one) => isSameMessage(one, message)) ?? message);
}

/** The agent has ended: calls that nobody has come to get a result that says so, since no model takes a history without one. */
export async function answerRest(running: Running): Promise<void> {
  if (!running.turn.isStored) return;
  for (const call of await listOpen(running)) await passOne(running, call, makeResult(UNANSWERED, true));
}

/** The calls of the last answer with calls that have come to no hook. */
async function listOpen(running: Running): Promise<readonly HookToolCall[]> {
  const { turn, messages, asked, answered, earlier } = running;
  if (!takesRefusals(turn)) return [];
  const answer = findAnswerWithCalls(messages);
  const calls = answer === undefined || isEarlier(answer, earlier) ? [] : readCalls(answer);
  const open = calls.filter(({ id }) => !answered.has(id));
  if (open.length === 0 || asked !== undefined) return open;
  // Another process has begun this turn, and may have run them: the store knows.
  const rows = turn.isStored ? await turn.state.getMessages() : [];
  const isOpen = ({ id }: HookToolCall): boolean => {
    const made = rows.findLastIndex((row) => readToolCalls(row).some((call) => call.id === id));
    return made >= 0 && !rows.slice(made).some(({ tool_call_id }) => tool_call_id === id);
  };
  for (const call of open) if (!isOpen(call)) answered.add(call.id);
  return open.filter(isOpen);
}

/** The model has answered. Some providers begin to count the calls of each answer anew. */
export function noteCalled({ answered }: Running, answer: AIMessage): void {
  for (const { id } of readCalls(answer)) answered.delete(id);
}

function isEarlier({ id }: AIMessage, earlier: string | undefined): boolean {
  return id !== undefined && id === earlier;
}

/** The last answer that has calls. */
export function findAnswerWithCalls(messages: readonly BaseMessage[]): AIMessage | undefined {
  const isAnswer = (one: BaseMessage): one is AIMessage =>
    AIMessage.isInstance(one) && readCalls(one).length > 0;
  return messages.findLast(isAnswer);
}

/** @returns the text of the result as hooks have left it */
async function passOne(running: Running, call: HookToolCall, given: HookToolResult): Promise<string> {
  const { turn, results, answered } = running;
  answered.add(call.id);
  const result = await turn.passResult(call, given);
  results.set(call.id, { toolCall: call, result });
  return (await passResultRow(turn, { outcome: 'answered', call, result })).content;
}

function makeResult(text: string, isError: boolean): HookToolResult {
  return isError ? { status: 'error', error: text } : { status: 'success', result: text };
}

function changeContent(message: ToolMessage, content: string): ToolMessage {
  const { id, tool_call_id, name, status } = message;
  return new ToolMessage({
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...{ content, tool_call_id },
  });
}
