import type { HeadQuery, ThreadHead } from '@spec/runtime';
import type { MessageRow, StoreDriver } from '@spec/runtime/store-kit';
import { readValue } from '../commits/look.ts';
import { rows } from '../commits/packet.ts';
import { gatherQuestions, type Question } from '../connection/gather.ts';
import type { Session } from '../connection/session.ts';
import { decodeText, encodeOrNull, encodeText } from '../texts.ts';
import { leaseMethods } from './leases.ts';
import { readThread, type ThreadRow } from './threads.ts';

/** The methods that read all that one needs of a thread before one works on it, in one statement. */
export type HeadMethods = Required<Pick<StoreDriver, 'readHead' | 'takeOver'>>;

interface HeadQuestion extends Question {
  readonly keys: readonly string[];
  readonly messages: readonly string[];
}

/** A head as the database gives it; a list without items is none. */
interface HeadRow {
  readonly record: ThreadRow;
  readonly children: readonly string[] | null;
  readonly values: readonly (readonly [key: string, value: string])[] | null;
  readonly messages: readonly MessageRow[] | null;
}

interface EndRows {
  readonly oldest: readonly MessageRow[] | null;
  readonly newest: readonly MessageRow[] | null;
}

type TakenRow = readonly [fence: number | null, expiresAt: number, head: HeadRow, ends: EndRows | null];

/**
 * Threads are taken one after the other. Each sets whether its transaction waits for the disk, so the last one would decide for all:
 * once all are taken, it waits.
 */
const takeAll = `
  with taken as materialized (
    select a.number, t.fence, t.expires, t.head, t.ends
    from json_array_elements($1::json) with ordinality as a (p, number), lateral $schema.take_over_1(a.p) as t),
  synced as (select set_config('synchronous_commit', 'on', true) where (select count(*) from taken) > 0)
  select fence, expires, head, ends from taken, synced order by number`;

/** Prepares the statements over heads. Heads that are read or taken at once share a statement. */
export function headMethods(session: Session): HeadMethods {
  const ask = gatherQuestions<HeadQuestion>(session, {
    alone: session.prepare('select $schema.read_head_1($1::json)'),
    all: session.prepare(
      'select $schema.read_head_1(a.p) from json_array_elements($1::json) with ordinality as a (p, number) order by a.number',
    ),
  });
  const take = gatherQuestions(session, {
    alone: session.prepare('select fence, expires, head, ends from $schema.take_over_1($1::json)'),
    all: session.prepare(takeAll),
  });
  const { changeLease } = leaseMethods(session);
  return {
    async readHead(threadId, query) {
      const [head] = await ask(makeQuestion(threadId, query));
      return head == null ? null : decodeHead(head as HeadRow);
    },
    async takeOver(threadId, { owner, ttlMs, turnId, ends, ...query }) {
      const lease = { owner: encodeText(owner), ttlMs, turnId: encodeOrNull(turnId), ends };
      const row = await take({ ...makeQuestion(threadId, query), ...lease });
      const [fence, expiresAt, head, endRows] = row as TakenRow;
      if (fence === null) return null;
      try {
        const read = endRows === null ? undefined : decodeEnds(endRows, threadId);
        return { fence, expiresAt, head: { ...decodeHead(head), ...(read && { ends: read }) } };
      } catch (error) {
        // A thread that cannot be read here is free for others.
        await changeLease(threadId, (held) =>
          held?.fence === fence ? { ...held, owner: null, expiresAt: 0 } : null,
        );
        throw error;
      }
    },
  };
}

function makeQuestion(threadId: string, { keys = [], messages = [] }: HeadQuery): HeadQuestion {
  const wanted = { keys: keys.map(encodeText), messages: messages.map(encodeText) };
  return { thread: encodeText(threadId), ...wanted };
}

/** @throws RunError `store_unreadable` */
function decodeHead({ record: row, children, values, messages }: HeadRow): ThreadHead {
  const record = readThread(row);
  return {
    record,
    children: (children ?? []).map(decodeText),
    values: (values ?? []).map(([stored, text]) => {
      const key = decodeText(stored);
      return { key, value: readValue(text, { threadId: record.id, key }) };
    }),
    messages: (messages ?? []).map((message) => rows.decode(message, record.id)),
  };
}

/** Messages that cannot be read are told where they are needed. */
function decodeEnds({ oldest, newest }: EndRows, threadId: string): ThreadHead['ends'] {
  const decode = (found: EndRows['newest']) => (found ?? []).map((row) => rows.decode(row, threadId));
  try {
    return { oldest: decode(oldest), newest: decode(newest) };
  } catch {
    return undefined;
  }
}
