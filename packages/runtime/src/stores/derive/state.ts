import type { AttachmentRef, KeyedValue } from '@spec/hooks';
import { cloneJson } from '../json.ts';
import type { Store } from '../store.ts';
import { copyFile, copyValues } from './copies.ts';
import type { OpenedDriver } from './opened.ts';

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

/** The methods over values and files, which hooks and tools keep with a thread. */
export function stateMethods({ use, answersAreCopies }: OpenedDriver): StateMethods {
  return {
    async getValue(threadId, key) {
      const [found] = await use().listValues(threadId, key);
      return answersAreCopies ? found?.value : cloneJson(found?.value);
    },
    async setValue(threadId, fence, entry) {
      const values = copyValues(threadId, [entry]);
      await use().commit(threadId, fence, { values, erases: removesOne(values) });
    },
    async setValuesIf(threadId, expected, given) {
      const [before, ...values] = copyValues(threadId, [expected, ...given]);
      const commit = { ...(before && { expected: before }), values, erases: removesOne(values) };
      return (await use().commit(threadId, null, commit)).applied;
    },
    async listValues(threadId) {
      const values = await use().listValues(threadId);
      const sorted = [...values].sort((a, b) => (a.key < b.key ? -1 : 1));
      return answersAreCopies ? sorted : sorted.map(cloneJson);
    },
    async writeFile(threadId, fence, file) {
      const files = [{ ...copyFile(file), size: file.data.byteLength }];
      await use().commit(threadId, fence, { files });
    },
    async readFile(threadId, path) {
      const file = await use().readFile(threadId, path);
      return file && !answersAreCopies ? copyFile(file) : file;
    },
    async listFiles(threadId, prefix = '') {
      const files = await use().listFiles(threadId, prefix);
      return files
        .filter(({ path }) => path.startsWith(prefix))
        .sort((a, b) => (a.path < b.path ? -1 : 1))
        .map(withoutData);
    },
    async deleteFile(threadId, fence, path) {
      return (await use().commit(threadId, fence, { removeFiles: [path], erases: true })).applied;
    },
  };
}

function removesOne(values: readonly KeyedValue[]): boolean {
  return values.some(({ value }) => value === undefined);
}

function withoutData({ type, path, name, mimeType, size }: AttachmentRef): AttachmentRef {
  return { type, path, name, mimeType, size };
}
