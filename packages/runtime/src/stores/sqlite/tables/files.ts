import type { AttachmentRef } from '@spec/hooks';
import { and, sql } from 'drizzle-orm';
import type { StoredFile } from '../../store.ts';
import { type Connection, equals } from '../file/connection.ts';
import { files } from '../schema/schema.ts';
import { makeRowCheck } from './row-checks.ts';

/** A thread by its key, and by its id for error messages. */
interface ThreadKey {
  readonly key: number;
  readonly id: string;
}

/** The files of one store; `thread` is the key of a thread. */
export interface FileTable {
  put(thread: number, file: StoredFile): void;
  get(thread: ThreadKey, path: string): StoredFile | null;
  has(thread: number, path: string): boolean;
  /** Without their data, in any order. */
  list(thread: ThreadKey): AttachmentRef[];
  remove(thread: number, path: string): void;
}

const slot = sql.placeholder;
const slots = {
  thread: slot('thread'),
  path: slot('path'),
  name: slot('name'),
  mimeType: slot('mimeType'),
  size: slot('size'),
  data: slot('data'),
};
const refColumns = { path: files.path, name: files.name, mimeType: files.mimeType, size: files.size };

/** Prepares the statements over `files`. */
export function fileTable({ orm }: Connection): FileTable {
  const identity = and(equals(files.thread, 'thread'), equals(files.path, 'path'));
  const put = orm
    .insert(files)
    .values(slots)
    .onConflictDoUpdate({
      target: [files.thread, files.path],
      set: {
        name: sql`excluded.name`,
        mimeType: sql`excluded.mime_type`,
        size: sql`excluded.size`,
        data: sql`excluded.data`,
      },
    })
    .prepare();
  const get = orm
    .select({ ...refColumns, data: files.data })
    .from(files)
    .where(identity)
    .prepare();
  const one = orm.select({ size: files.size }).from(files).where(identity).prepare();
  const list = orm.select(refColumns).from(files).where(equals(files.thread, 'thread')).prepare();
  const remove = orm.delete(files).where(identity).prepare();

  return {
    put: (thread, { path, name, mimeType, data }) => {
      put.run({ thread, path, name, mimeType, data, size: data.byteLength });
    },
    get(thread, path) {
      const row = get.get({ thread: thread.key, path });
      if (row === undefined) return null;
      checkRow(row, () => describeFile(row, thread));
      return { type: 'file', ...row, data: plainBytes(row.data) };
    },
    has: (thread, path) => one.get({ thread, path }) !== undefined,
    list(thread) {
      const all = list.all({ thread: thread.key });
      for (const row of all) checkRow(row, () => describeFile(row, thread));
      return all.map((ref) => ({ type: 'file', ...ref }));
    },
    remove: (thread, path) => {
      remove.run({ thread, path });
    },
  };
}

const checkRow = makeRowCheck(files, 'files');

function describeFile({ path }: { path: unknown }, { id }: ThreadKey): string {
  return typeof path === 'string' ? `file ${path} of thread ${id}` : `a file of thread ${id}`;
}

function plainBytes({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
