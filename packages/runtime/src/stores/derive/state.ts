import type { AttachmentRef } from '@spec/hooks';
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

/** The methods over what hooks and tools keep with a thread: values and files. */
export function stateMethods({ ask, driver }: OpenedDriver): StateMethods {
  const copy = <T>(value: T): T => (driver.answersAreCopies ? value : structuredClone(value));
  return {
    async getValue(threadId, key) {
      const [found] = await ask(threadId, (use) => use.listValues(threadId, key));
      return copy(found?.value);
    },
    async setValue(threadId, fence, entry) {
      const values = copyValues(threadId, [entry]);
      await ask(threadId, (use) => use.commit(threadId, fence, { values }));
    },
    async setValuesIf(threadId, expected, given) {
      const [before, ...values] = copyValues(threadId, [expected, ...given]);
      const commit = { ...(before && { expected: before }), values };
      return (await ask(threadId, (use) => use.commit(threadId, null, commit))).applied;
    },
    async listValues(threadId) {
      const values = await ask(threadId, (use) => use.listValues(threadId));
      return copy([...values].sort((a, b) => (a.key < b.key ? -1 : 1)));
    },
    async writeFile(threadId, fence, file) {
      const files = [{ ...copyFile(file), size: file.data.byteLength }];
      await ask(threadId, (use) => use.commit(threadId, fence, { files }));
    },
    async readFile(threadId, path) {
      const file = await ask(threadId, (use) => use.readFile(threadId, path));
      return file && (driver.answersAreCopies ? file : copyFile(file));
    },
    async listFiles(threadId, prefix = '') {
      const files = await ask(threadId, (use) => use.listFiles(threadId, prefix));
      return files
        .filter(({ path }) => path.startsWith(prefix))
        .sort((a, b) => (a.path < b.path ? -1 : 1))
        .map(withoutData);
    },
    async deleteFile(threadId, fence, path) {
      return (await ask(threadId, (use) => use.commit(threadId, fence, { removeFiles: [path] }))).applied;
    },
  };
}

function withoutData({ type, path, name, mimeType, size }: AttachmentRef): AttachmentRef {
  return { type, path, name, mimeType, size };
}
