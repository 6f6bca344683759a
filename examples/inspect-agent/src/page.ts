/** What the page shows of a message. */
interface Shown {
  readonly role: string;
  readonly content: string | null;
  readonly runs: readonly { readonly id: string; readonly outcome: string; readonly why?: string }[];
}

/** Asks for a conversation as the page does: the key of a link is exchanged for a token. */
export async function readConversation(link: string, thread: string): Promise<readonly Shown[]> {
  const { origin, hash } = new URL(link);
  const session = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: hash.slice('#key='.length) }),
  });
  const { token } = (await session.json()) as { token: string };
  const answer = await fetch(`${origin}/api/threads/${thread}/messages`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { messages: Shown[] }).messages;
}
