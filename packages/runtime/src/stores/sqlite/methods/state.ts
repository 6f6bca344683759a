import { noSuchThread } from '../../refusals.ts';
import type { Store } from '../../store.ts';
import { type OpenFile, threadReader } from '../tables/tables.ts';
import { decodeValue, encodeValue } from '../tables/values.ts';

type StateMethods = Pick<
  Store,
  | 'getValue'
  | 'setValue'
  | 'setValuesIf'
  | 'listValues'
  | 'writeFile'
  | 'readFile'
  | 'listFiles'
  | 'deleteFile'
>;

/** The methods over what hooks and tools keep with a thread: values and files. */
export function stateMethods(file: OpenFile): StateMethods {
  const { threads, values, files } = file.tables;
  const { write, erases } = file.commits;
  const readOf = threadReader(file);
  return {
    getValue: async (threadId, key) =>
      readOf(threadId, undefined, (thread) => {
        const text = values.get(thread, key);
        return text === undefined ? undefined : decodeValue({ key, value: text }, threadId);
      }),
    async setValue(threadId, fence, entry) {
      const value = encodeValue(entry, threadId);
      return write(() => {
        values.put(threads.writable(threadId, fence), value);
        if (value.text === undefined) erases();
      });
    },
    async setValuesIf(threadId, expected, given) {
      const before = encodeValue(expected, threadId);
      const after = given.map((entry) => encodeValue(entry, threadId));
      return write(() => {
        const thread = threads.keyOf(threadId);
        if (thread === undefined) throw noSuchThread(threadId);
        if (values.get(thread, before.key) !== before.text) return false;
        for (const value of after) values.put(thread, value);
        if (after.some(({ text }) => text === undefined)) erases();
        return true;
      });
    },
    listValues: async (threadId) =>
      readOf(threadId, [], (thread) =>
        values.list(thread).map((row) => ({ key: row.key, value: decodeValue(row, threadId) })),
      ),

    async writeFile(threadId, fence, given) {
      const copy = { ...given, data: new Uint8Array(given.data) };
      return write(() => files.put(threads.writable(threadId, fence), copy));
    },
    readFile: async (threadId, path) =>
      readOf(threadId, null, (key) => files.get({ key, id: threadId }, path)),
    listFiles: async (threadId, prefix = '') =>
      readOf(threadId, [], (key) => files.list({ key, id: threadId }, prefix)),
    deleteFile: async (threadId, fence, path) =>
      write(() => {
        const removed = files.remove(threads.writable(threadId, fence), path);
        if (removed) erases();
        return removed;
      }),
  };
}
