import type { BaseMessage } from '@langchain/core/messages';
import { digestText, type ThreadState } from '@spec/hooks';
import { isContext, isUsers } from './messages.ts';

// A message of the input takes the place of the one in the state that has its id, wherever that stands: LangGraph has put it there before any
// middleware runs, and says nothing of it. So the state has what its messages were when the last turn began, and when it ended. The state of an
// agent that is a node of another graph ends with its run; so there, the thread has it among its values.

/**
 * The messages of a state by their ids: of the user's a digest of what they said, behind a mark where it was denied, or where hooks had it for the
 * conversation; of the others their sort.
 */
export type Seen = Readonly<Record<string, string>>;

const CONTEXT = 'context ';

/**
 * What is kept of the messages in a state.
 *
 * @param before what was kept of them: it says which of them hooks have made in another process
 */
export async function describeSeen(messages: readonly BaseMessage[], before: Seen = {}): Promise<Seen> {
  const known = messages.flatMap((message) =>
    message.id === undefined ? [] : [[message.id, message] as const],
  );
  return Object.fromEntries(
    await Promise.all(
      known.map(async ([id, message]) => [
        id,
        isUsers(message) ? await describe(message, before[id]) : message.type,
      ]),
    ),
  );
}

async function describe(message: BaseMessage, before: string | undefined): Promise<string> {
  const said = await digest(message.content);
  return isContext(message) || before === CONTEXT + said ? CONTEXT + said : said;
}

/** Whether hooks have made a message, as it stands. */
export function isOfHooks({ id = '' }: BaseMessage, now: Seen): boolean {
  return Object.hasOwn(now, id) && now[id]?.startsWith(CONTEXT) === true;
}

/**
 * The messages of the user that no turn has heard: those that have come into the place of another one since, whosever that was, and those that
 * stand behind all that is known, which a turn that failed may have left there. An agent that comes into a graph has heard nothing of what others
 * had from the user there.
 *
 * @param seen what the state had when the last turn ended, and `now`
 * @param isNode whether the agent is a node of a graph
 */
export function findUnheard(
  messages: readonly BaseMessage[],
  { seen, now, isNode }: { readonly seen: Seen; readonly now: Seen; readonly isNode: boolean },
): BaseMessage[] {
  if (Object.keys(seen).length === 0 && !isNode) return [];
  const isKnown = ({ id = '' }: BaseMessage): boolean => Object.hasOwn(seen, id);
  const first = messages.findLastIndex(isKnown) + 1;
  return messages.filter((message, at) => {
    if (!isUsers(message) || isOfHooks(message, now)) return false;
    const { id = '' } = message;
    return at >= first || (isKnown(message) && seen[id] !== now[id]);
  });
}

/** Whether what is kept of a message says that it is one of the user's, or of hooks. */
export function isUsersDigest(said: string | undefined): boolean {
  return said !== undefined && /^(?:context )?[0-9a-f]{64}$/.test(said);
}

const DENIED = 'denied ';

/** What is kept of messages that were denied: a graph around the agent has them still, and gives them to it again. */
export function markDenied(seen: Seen): Seen {
  return Object.fromEntries(Object.entries(seen).map(([id, said]) => [id, DENIED + said]));
}

/** What of it is about messages that were denied. */
export function pickDenied(seen: Seen): Seen {
  return Object.fromEntries(Object.entries(seen).filter(([, said]) => said.startsWith(DENIED)));
}

/** Whether a message was denied in an earlier turn, as it stands. */
export function wasDenied({ id = '' }: BaseMessage, { seen, now }: { seen: Seen; now: Seen }): boolean {
  return Object.hasOwn(seen, id) && seen[id] === `${DENIED}${now[id]}`;
}

type Values = Pick<ThreadState, 'getValue' | 'setValue'>;

const nameKey = (place: string): string => `@spec/langchain/seen ${place}`;

/** @param place where in a graph the agent stands: another agent of the graph has other hooks, and has not heard what they have */
export async function loadSeen(thread: Values, place: string): Promise<Seen> {
  return ((await thread.getValue(nameKey(place))) ?? {}) as Seen;
}

export async function keepSeen(thread: Values, place: string, seen: Seen): Promise<void> {
  await thread.setValue(nameKey(place), seen);
}

/** Digests of texts that are looked at more than once: when a turn begins and when it ends. Most are short, and a digest is made on another thread. */
const digests = new Map<string, string>();
const MAX_DIGESTS = 500;
const MAX_TEXT = 4_000;

async function digest(content: unknown): Promise<string> {
  const text = JSON.stringify(content);
  const known = digests.get(text);
  if (known !== undefined) return known;
  const made = await digestText(text);
  if (text.length > MAX_TEXT) return made;
  if (digests.size >= MAX_DIGESTS) digests.clear();
  digests.set(text, made);
  return made;
}
