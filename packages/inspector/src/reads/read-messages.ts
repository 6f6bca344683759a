import type { MessageCard, Records } from '@spec/hooks';
import type { Source } from './read-threads.ts';

/** Characters of a text in a conversation; the whole is asked for by itself. */
const clipSize = 4_096;
const wholeSize = 1_048_576;

/** Which piece of a conversation is meant; without a place, its end. */
export interface MessagePlace {
  readonly size: number;
  readonly before?: string;
  readonly after?: string;
  readonly around?: string;
  /** Characters that a text has at most. */
  readonly clip?: number;
}

/** A piece of a conversation, with some messages on both sides: runs that belong to these are told from those that belong to none. */
export interface MessageWindow {
  readonly older: readonly MessageCard[];
  readonly messages: readonly MessageCard[];
  readonly newer: readonly MessageCard[];
}

/** Messages that are read on each side. */
const margin = 12;

/** The messages of a place; `null` where the message that it names is not there. */
export async function readWindow(
  source: Source,
  threadId: string,
  { size, before, after, around, clip = clipSize }: MessagePlace,
): Promise<MessageWindow | null> {
  const read = messageReader(source, threadId, clip);
  if (around !== undefined) return readAround(read, around, size);
  if (after === undefined) {
    const found = await read({ size: size + margin, ...(before !== undefined && { before }) });
    const messages = found.slice(-size);
    const newer =
      before === undefined ? [] : await read({ size: margin, after: messages.at(-1)?.id ?? before });
    return { older: found.slice(0, -size), messages, newer };
  }
  const found = await read({ size: size + margin, after });
  const [first] = found;
  const older = first === undefined ? [] : await read({ size: margin, before: first.id });
  return { older, messages: found.slice(0, size), newer: found.slice(size) };
}

/** The whole of one message; `null` where it is not there. */
export async function readMessage(source: Source, threadId: string, id: string): Promise<MessageCard | null> {
  const read = messageReader(source, threadId, wholeSize);
  const [next] = await read({ size: 1, after: id });
  const [found] = await read({ size: 1, ...(next !== undefined && { before: next.id }) });
  return found?.id === id ? hideText(found, source) : null;
}

type ReadSome = (place: { size: number; before?: string; after?: string }) => Promise<readonly MessageCard[]>;

function messageReader({ records }: Source, threadId: string, clip: number): ReadSome {
  return (place) => records.messages(threadId, { ...place, clip });
}

async function readAround(read: ReadSome, id: string, size: number): Promise<MessageWindow | null> {
  const half = Math.ceil(size / 2);
  const following = await read({ size: half + margin, after: id });
  const place = following[0] === undefined ? {} : { before: following[0].id };
  const found = await read({ size: half + margin, ...place });
  if (found.at(-1)?.id !== id) return null;
  const messages = [...found.slice(-half), ...following.slice(0, half)];
  return { older: found.slice(0, -half), messages, newer: following.slice(half) };
}

/** Where texts are not shown: roles, ids and sizes. */
export function hideText<Message extends MessageCard>(message: Message, { showsContent }: Source): Message {
  if (showsContent) return message;
  const { content, toolCalls } = message;
  return { ...message, content: content === null ? null : '', toolCalls: toolCalls === null ? null : '' };
}

/** All runs of a thread between two moments, oldest first, and whether these are all. */
export async function readRunsBetween(
  records: Records,
  threadId: string,
  { since, until }: { readonly since: number | undefined; readonly until: number | undefined },
): Promise<{ readonly runs: Awaited<ReturnType<Records['runs']>>['items']; readonly isAll: boolean }> {
  const times = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  const runs = [];
  for (let cursor: string | null | undefined; cursor !== null && runs.length < runsAtMost; ) {
    const page = await records.runs({ ...times, threadId, order: 'newest', size: 500, cursor });
    runs.push(...page.items);
    cursor = page.next;
    if (cursor === null) return { runs: runs.reverse(), isAll: true };
  }
  return { runs: runs.reverse(), isAll: false };
}

const runsAtMost = 3_000;
