import type { AttachmentRef } from '@spec/hooks';
import { noSuchThread } from '../refusals.ts';
import type { Store, StoredFile } from '../store.ts';
import { copyValue, type Memory, putValue, readable, writable } from './thread.ts';

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
export function stateMethods(memory: Memory): StateMethods {
  return {
    getValue: async (threadId, key) => structuredClone(readable(memory, threadId)?.values.get(key)),
    setValue: async (threadId, fence, entry) =>
      putValue(writable(memory, threadId, fence), copyValue(entry, threadId)),
    async setValuesIf(threadId, expected, given) {
      const thread = readable(memory, threadId);
      if (!thread) throw noSuchThread(threadId);
      const [before, ...after] = [expected, ...given].map((entry) => copyValue(entry, threadId));
      if (JSON.stringify(thread.values.get(expected.key)) !== JSON.stringify(before?.value)) return false;
      for (const value of after) putValue(thread, value);
      return true;
    },
    async listValues(threadId) {
      const values = [...(readable(memory, threadId)?.values ?? [])];
      return values
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, value]) => ({ key, value: structuredClone(value) }));
    },
    async writeFile(threadId, fence, file) {
      writable(memory, threadId, fence).files.set(file.path, {
        ...copyFile(file),
        size: file.data.byteLength,
      });
    },
    async readFile(threadId, path) {
      const file = readable(memory, threadId)?.files.get(path);
      return file ? copyFile(file) : null;
    },
    async listFiles(threadId, prefix = '') {
      const files = [...(readable(memory, threadId)?.files.values() ?? [])];
      return files
        .filter((file) => file.path.startsWith(prefix))
        .sort((a, b) => (a.path < b.path ? -1 : 1))
        .map(withoutData);
    },
    deleteFile: async (threadId, fence, path) => writable(memory, threadId, fence).files.delete(path),
  };
}

function copyFile(file: StoredFile): StoredFile {
  return { ...file, data: new Uint8Array(file.data) };
}

function withoutData({ type, path, name, mimeType, size }: StoredFile): AttachmentRef {
  return { type, path, name, mimeType, size };
}
