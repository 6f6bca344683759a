import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { HookMessage } from '@spec/hooks';
import { type HostTurn, passRow, toLLMMessage } from '@spec/hooks/host';
import { isSameMessage, lendMessages, takeBack } from './messages.ts';
import { noteShown, type Running, type StateLike } from './turns.ts';

/** An answer that has passed the hooks, or that the bridge gives. */
export function noteMade({ made }: Running, answer: AIMessage): void {
  made.push(answer);
}

/**
 * Sends what others answer in the place of a model through the hooks on messages, and to the store: a middleware that gives up, or LangChain
 * itself, which tells of a response of a schema. What hooks change is kept for the state.
 */
export async function passOthers(running: Running, { messages, _hooksSeen = {} }: StateLike): Promise<void> {
  const { turn, shown, made, isFollowed } = running;
  const last = made.at(-1);
  if (!turn.takesMessages || !isFollowed) return; // Another process may have sent them.
  const isOpen = (one: BaseMessage): boolean =>
    AIMessage.isInstance(one) &&
    !made.some((answer) => isSameMessage(answer, one)) &&
    !(shown.has(one) || Object.hasOwn(_hooksSeen, one.id ?? ''));
  let isRewritten = last !== undefined && !messages.some((one) => isSameMessage(one, last));
  for (const message of messages.filter(isOpen)) {
    const passed = await passMessage(turn, message, { isStored: !isRewritten });
    isRewritten = false;
    noteShown(running, [message, passed]);
    if (passed !== message) running.changed.push(passed);
  }
}

/** Sends a message of any role through the hooks on messages. @returns the same object where they leave it alone */
export async function passMessage(
  turn: HostTurn,
  message: BaseMessage,
  { isStored }: { readonly isStored: boolean },
): Promise<BaseMessage> {
  const lent = lendMessages([message]);
  const [row] = lent.messages;
  if (row === undefined) return message;
  const made = await passRow(turn, { ...row }, { isStored });
  const [changed] = takeBack([toLLMMessage({ ...row, ...made, id: row.id } as HookMessage)], lent);
  return changed ?? message;
}
