import { AIMessage, type BaseMessage, RemoveMessage } from '@langchain/core/messages';
import { type HeardMessage, hearUser, receiveOnce } from '@spec/hooks/host';
import { withChanged } from './answered.ts';
import { changeUsers, findLastSaid, findNewest, isUsers, readMessageFiles, readText } from './messages.ts';
import { noteMade } from './others.ts';
import {
  describeSeen,
  findUnheard,
  isOfHooks,
  isUsersDigest,
  keepSeen,
  loadSeen,
  markDenied,
  pickDenied,
  type Seen,
  wasDenied,
} from './seen.ts';
import { noteShown, type Running, type StateLike } from './turns.ts';

/** What a function of the middleware changes in the state of an agent. */
export interface Update {
  readonly _hooksTurn?: string;
  readonly _hooksSeen?: Seen;
  readonly messages?: BaseMessage[];
  readonly jumpTo?: 'end' | 'model';
}

/**
 * What the user says goes through its hooks. A message that is denied leaves the state again, and the agent answers with the reason.
 *
 * @param findSaid finds what the user says now
 */
export async function receive(
  running: Running,
  { messages: all, _hooksSeen }: StateLike,
  findSaid: (messages: readonly BaseMessage[]) => readonly BaseMessage[] = findNewest,
): Promise<Update> {
  const { turn, unanswered, place } = running;
  const seen = _hooksSeen ?? (place === undefined ? {} : await loadSeen(turn.state, place));
  const now = await describeSeen(all, seen);
  const gone = all.filter((message) => wasDenied(message, { seen, now }));
  const messages = all.filter((message) => !gone.includes(message));
  const said = findSaid(messages).filter((message) => !isOfHooks(message, now));
  const isNode = place !== undefined;
  const newest = new Set([...findUnheard(messages, { seen, now, isNode }), ...said]);
  const isOthers = (message: BaseMessage): boolean =>
    Object.keys(seen).length === 0 && !said.includes(message);
  const changed: BaseMessage[] = [];
  for (const [place, message] of [...newest].entries()) {
    const content = readText(message);
    const files = await readMessageFiles(message);
    const given = { content, files, id: message.id };
    const verdict = isOthers(message)
      ? await hearUser(turn, { ...given, isStored: false })
      : await receiveOnce(turn, unanswered, { ...given, place });
    if (verdict.isDenied)
      return refuse(running, { verdict, gone: [...gone, ...newest], denied: [...newest] });
    const next = changeUsers(message, files, verdict);
    if (next !== message) changed.push(next);
  }
  running.rewritten.push(...changed);
  const kept = await keepAll(running, { ...now, ...(await describeSeen(changed)) });
  const update = [...removeAll(gone), ...changed];
  noteShown(running, [...messages, ...changed]);
  running.isFollowed = true;
  return { _hooksSeen: kept, ...(update.length === 0 ? {} : { messages: update }) };
}

function removeAll(messages: readonly BaseMessage[]): RemoveMessage[] {
  return messages.map(({ id = '' }) => new RemoveMessage({ id }));
}

/** What was seen, for the next turn of the thread. What was denied before stays so, also where another process has begun the turn. */
export async function keepAll({ turn, place, denied }: Running, described: Seen): Promise<Seen> {
  if (place === undefined) return described;
  const before = await loadSeen(turn.state, place);
  const seen = { ...described, ...pickDenied(before), ...denied };
  await keepSeen(turn.state, place, seen);
  return seen;
}

interface Refused {
  readonly verdict: Extract<HeardMessage, { isDenied: true }>;
  /** What leaves the state. */
  readonly gone: readonly BaseMessage[];
  /** What of it was said now. */
  readonly denied: readonly BaseMessage[];
}

/** The agent answers with the reason, and no model is called. */
async function refuse(running: Running, { verdict, gone, denied }: Refused): Promise<Update> {
  running.isDenied = true;
  const { reason, userMessage = reason } = verdict;
  const answer = new AIMessage({ content: userMessage, response_metadata: { denied: true, reason } });
  noteMade(running, answer);
  running.denied = { ...running.denied, ...markDenied(await describeSeen(denied)) };
  return { messages: [...removeAll(gone), answer], jumpTo: 'end' };
}

/**
 * What has come into the state since the turn began, as said by the user: other middleware adds messages, and rewrites or sums up what is
 * there. What stands in the place of a message that is gone is not stored. Other middleware may also have come here past the beginning.
 */
export async function hearAdded(running: Running, state: StateLike): Promise<Update> {
  const { turn, shown } = running;
  const { _hooksSeen: seen } = { ...state, ...running.heard };
  if (!turn.takesMessages && !turn.has('before_user_message')) return {};
  const messages = updateMessages(state.messages, { messages: running.changed });
  if (seen === undefined) return receive(running, { messages }, findLastSaid);
  const open = new Set(messages.filter((one) => !shown.has(one)));
  const looked = messages.filter((one) => isUsers(one) && (open.has(one) || !isKnown(one, seen)));
  const now = await describeSeen(looked, seen);
  const isAdded = (one: BaseMessage): boolean =>
    open.has(one) && !isOfHooks(one, now) && seen[one.id ?? ''] !== now[one.id ?? ''];
  const left = dropGone(seen, messages);
  const heard = await hearAll(running, looked.filter(isAdded), { seen, left });
  const changed = heard.messages ?? [];
  noteShown(running, [...messages, ...changed]);
  running.isFollowed = true;
  if (heard.jumpTo !== undefined || looked.length === 0) return heard;
  return { ...heard, _hooksSeen: { ...left, ...now, ...(await describeSeen(changed)) } };
}

/**
 * The same where a node has led to the model past `beforeModel`. The state is told of it later ({@link takeHeard}).
 *
 * @returns the answer, where a message was denied
 */
export async function hearAtModel(running: Running, state: StateLike): Promise<AIMessage | undefined> {
  const { _hooksSeen, messages = [], jumpTo } = await hearAdded(running, state);
  if (_hooksSeen !== undefined) running.heard = { _hooksSeen };
  const isAnswer = (one: BaseMessage): one is AIMessage => AIMessage.isInstance(one);
  running.changed.push(...messages.filter((one) => !isAnswer(one)));
  return jumpTo === undefined ? undefined : messages.find(isAnswer);
}

/** What was heard, and what hooks have changed, since the state could last be told. */
export function takeHeard(running: Running): Update {
  const { heard } = running;
  running.heard = {};
  return { ...heard, messages: running.changed.splice(0) };
}

/** Both, one after the other. */
export function joinUpdates<First extends Update>(first: First, second: Update): First {
  const messages = [...(first.messages ?? []), ...(second.messages ?? [])];
  return { ...first, ...second, ...(messages.length === 0 ? {} : { messages }) };
}

/** The messages of a state with an update to them. */
export function updateMessages(
  messages: readonly BaseMessage[],
  { messages: given = [] }: Update,
): readonly BaseMessage[] {
  const kept = withChanged(messages, given);
  const added = given.filter((message) => !kept.includes(message));
  return [...kept, ...added].filter(({ type }) => type !== 'remove');
}

const isKnown = ({ id = '' }: BaseMessage, seen: Seen): boolean => Object.hasOwn(seen, id);

/** Without the messages of the user that are in the state no more. */
function dropGone(seen: Seen, messages: readonly BaseMessage[]): Seen {
  const ids = new Set(messages.map(({ id }) => id));
  return Object.fromEntries(Object.entries(seen).filter(([id, said]) => ids.has(id) || !isUsersDigest(said)));
}

async function hearAll(
  running: Running,
  added: readonly BaseMessage[],
  { seen, left }: { readonly seen: Seen; readonly left: Seen },
): Promise<Update> {
  const { turn } = running;
  let goneCount = Object.keys(seen).length - Object.keys(left).length;
  const changed: BaseMessage[] = [];
  for (const message of added) {
    const isStored = !isKnown(message, seen) && --goneCount < 0;
    const files = await readMessageFiles(message);
    const verdict = await hearUser(turn, { content: readText(message), files, isStored, id: message.id });
    if (verdict.isDenied) return refuse(running, { verdict, gone: added, denied: added });
    const next = changeUsers(message, files, verdict);
    if (next !== message) changed.push(next);
  }
  return changed.length === 0 ? {} : { messages: changed };
}
