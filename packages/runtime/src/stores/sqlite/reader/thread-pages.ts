import type { MessageCard, MessagePageQuery, Page, ThreadCard, ThreadQuery } from '@spec/hooks';
import { makeMessageCard, makeThreadCard } from '../../record-cards.ts';
import { readableOnes } from '../../rows/damaged.ts';
import type { Connection } from '../file/connection.ts';
import { decodeMessage } from '../tables/message-row.ts';
import { messageTable } from '../tables/messages.ts';
import { decodeThread } from '../tables/thread-row.ts';
import { pageThreads } from '../tables/threads.ts';
import { readKey } from './run-pages.ts';

const threadsAtOnce = 200;
const messagesAtOnce = 200;

/** Reads the threads of one file and their messages. */
export interface ThreadPages {
  threads(query: ThreadQuery): Page<ThreadCard>;
  /** @param thread the thread's key */
  messages(thread: { key: number; id: string }, query: MessagePageQuery): readonly MessageCard[];
}

/** Prepares the statements. */
export function threadPages(connection: Connection): ThreadPages {
  const table = messageTable(connection);
  return {
    threads({ size, cursor, ...filter }) {
      const limit = Math.min(size, threadsAtOnce);
      const below = cursor === undefined ? Number.MAX_SAFE_INTEGER : readKey(cursor);
      const rows = pageThreads(connection, { ...filter, below, limit });
      const items = readableOnes(rows, decodeThread, connection.onUnreadable).map(makeThreadCard);
      return { items, next: rows.length === limit ? String(rows.at(-1)?.key) : null };
    },
    messages({ key, id }, { size, clip, before, after }) {
      const above = after === undefined ? 0 : table.identifyPlace(key, after)?.[0];
      const below = before === undefined ? Number.MAX_SAFE_INTEGER : table.identifyPlace(key, before)?.[0];
      if (above === undefined || below === undefined) return [];
      const from = after === undefined ? 'end' : 'start';
      const rows = table.list(key, { from, above, below, count: Math.min(size, messagesAtOnce) });
      const messages = readableOnes(rows, (row) => decodeMessage(row, id), connection.onUnreadable);
      return messages.map((message) => makeMessageCard(message, clip));
    },
  };
}
