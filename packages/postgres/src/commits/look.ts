import type { QueueItem, StoredMessage } from '@spec/runtime';
import {
  type Commit,
  type KnownThread,
  type MessageRow,
  readColumn,
  recordIn,
} from '@spec/runtime/store-kit';
import type { Session } from '../connection/session.ts';
import { decodeText, encodeOrNull, encodeText } from '../texts.ts';
import { rows } from './packet.ts';

/** What a commit needs to know of a thread, as of one moment. */
export interface SeenThread extends KnownThread {
  readonly version: number;
}

/** Looks at a thread for a commit; `undefined` if there is no such thread. */
export type Look = (threadId: string, commit: Commit) => Promise<SeenThread | undefined>;

/** The columns of a message in the order of its row; `m` is the table. */
export const messageColumns =
  'm.id, m.role, m.flags, m.created_at, m.depth, m.parent_id, m.name, m.tool_call_id, m.content, m.tool_calls, m.metadata, m.extra';

type LookRow = [
  version: number,
  fence: number,
  roles: string | null,
  items: string | null,
  value: string | null,
  paths: string[],
  ...MessageRow,
];

/** Prepares the look: one statement, so all of it is from one moment. */
export function openLook(session: Session): Look {
  const statement = session.prepare(`
    select l.version::float8, l.fence::float8,
      (select json_agg(json_build_array(o.id, o.role)) from $schema.messages o where o.thread = t.key and o.id = any($2))::text,
      (select json_agg(json_build_array(q.id, q.kind, q.payload)) from $schema.queue q
        where q.thread = t.key and q.id = any($3))::text,
      (select v.value from $schema.kept_values v where v.thread = t.key and v.key = $4),
      array(select f.path from $schema.files f where f.thread = t.key and f.path = any($5)),
      ${messageColumns}
    from $schema.threads t
    join $schema.leases l on l.thread = t.key
    left join $schema.messages m on m.thread = t.key and m.id = $6
    where t.id = $1`);
  return async (threadId, commit) => {
    const { messages, posted, toolCalls, newIds, remove, enqueue, removeFiles, expected, update } = commit;
    const items = [...(enqueue ?? []), ...(posted ? [posted] : [])].map(({ id }) => id);
    const named = [...pickIds(messages), ...items, ...(newIds ?? []), ...(remove ?? [])];
    const ids = [...named, ...(toolCalls ?? []).map(({ messageId }) => messageId)];
    const [row] = await session.ask(statement, [
      encodeText(threadId),
      ids.map(encodeText),
      [...items, ...(newIds ?? [])].map(encodeText),
      encodeOrNull(expected?.key),
      (removeFiles ?? []).map(encodeText),
      encodeOrNull(update?.id),
    ]);
    return row && readSeen(threadId, row as LookRow);
  };
}

function pickIds(list: readonly { readonly id: string }[] = []): string[] {
  return list.map(({ id }) => id);
}

function readSeen(threadId: string, row: LookRow): SeenThread {
  const [version, fence, roles, items, value, paths, ...message] = row;
  const roleById = new Map(
    readList<[string, string]>(roles).map(([id, role]) => [decodeText(id), role] as const),
  );
  const itemById = new Map(
    readList<ItemRow>(items).map((item) => [decodeText(item[0]), readItem(item, threadId)] as const),
  );
  const files = new Set(paths.map(decodeText));
  return {
    version,
    fence,
    roleOf: (id) => roleById.get(id),
    findMessage: (): StoredMessage | null => (message[0] === null ? null : rows.decode(message, threadId)),
    queued: (id) => itemById.get(id),
    valueOf: (key) => (value === null ? undefined : readValue(value, { threadId, key })),
    hasFile: (path) => files.has(path),
  };
}

function readList<T>(text: string | null): T[] {
  return text === null ? [] : (JSON.parse(text) as T[]);
}

/** An item of a queue, as columns. */
export type ItemRow = readonly [id: string, kind: QueueItem['kind'], payload: string];

/** @throws RunError `store_unreadable` */
export function readItem([stored, kind, payload]: ItemRow, threadId: string): QueueItem {
  const id = decodeText(stored);
  const row = `item ${id} of thread ${threadId}`;
  return { id, kind, payload: recordIn(payload, { table: 'queue', row, column: 'payload' }) };
}

/** @throws RunError `store_unreadable` */
export function readValue(text: string, { threadId, key }: { threadId: string; key: string }): unknown {
  const row = `value ${key} of thread ${threadId}`;
  return readColumn({ table: 'kept_values', row, column: 'value' }, () => JSON.parse(text));
}
