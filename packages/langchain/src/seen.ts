import type { BaseMessage } from '@langchain/core/messages';

// A message of the input takes the place of the one in the state that has its id, wherever that stands: LangGraph has put it there before any
// middleware runs, and says nothing of it. So the state has what the user's messages were when the last turn ended.

/** What the messages of the user said, each as a digest, by their ids. */
export type Seen = Readonly<Record<string, string>>;

/** The messages of the user in a state. */
export async function describeSeen(messages: readonly BaseMessage[]): Promise<Seen> {
  const said = messages.flatMap(({ type, id, content }) =>
    type === 'human' && id !== undefined ? [{ id, content }] : [],
  );
  return Object.fromEntries(
    await Promise.all(said.map(async ({ id, content }) => [id, await digest(content)] as const)),
  );
}

/** Those of them that have come into the place of another one since. */
export async function findReplaced(messages: readonly BaseMessage[], seen: Seen): Promise<BaseMessage[]> {
  const now = await describeSeen(messages);
  return messages.filter(({ type, id = '' }) => {
    const isKnown = type === 'human' && Object.hasOwn(seen, id);
    return isKnown && seen[id] !== now[id];
  });
}

async function digest(content: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
