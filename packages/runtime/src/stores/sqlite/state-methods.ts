import type { Store } from '../../store.ts';
import type { OpenFile } from './tables.ts';
import { encodeValue } from './values.ts';

type StateMethods = Pick<
  Store,
  'getValue' | 'setValue' | 'listValues' | 'writeFile' | 'readFile' | 'listFiles' | 'deleteFile'
>;

/** The methods over what hooks and tools keep with a thread: values and files. */
export function stateMethods({ tables, commits }: OpenFile): StateMethods {
  const { threads, values, files } = tables;
  const { write, read, erases } = commits;
  return {
    getValue: async (threadId, key) =>
      read(() => {
        const thread = threads.keyOf(threadId);
        const text = thread === undefined ? undefined : values.get(thread, key);
        return text === undefined ? undefined : JSON.parse(text);
      }),
    async setValue(threadId, fence, entry) {
      const value = encodeValue(entry, threadId);
      return write(() => {
        values.put(threads.writable(threadId, fence), value);
        if (value.text === undefined) erases();
      });
    },
    listValues: async (threadId) =>
      read(() => {
        const thread = threads.keyOf(threadId);
        const found = thread === undefined ? [] : values.list(thread);
        return found.map(({ key, value }) => ({ key, value: JSON.parse(value) }));
      }),

    async writeFile(threadId, fence, file) {
      const copy = { ...file, data: new Uint8Array(file.data) };
      return write(() => files.put(threads.writable(threadId, fence), copy));
    },
    readFile: async (threadId, path) =>
      read(() => {
        const thread = threads.keyOf(threadId);
        return thread === undefined ? null : files.get(thread, path);
      }),
    listFiles: async (threadId, prefix = '') =>
      read(() => {
        const thread = threads.keyOf(threadId);
        return thread === undefined ? [] : files.list(thread, prefix);
      }),
    deleteFile: async (threadId, fence, path) =>
      write(() => {
        const removed = files.remove(threads.writable(threadId, fence), path);
        if (removed) erases();
        return removed;
      }),
  };
}
