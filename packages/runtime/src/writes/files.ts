import { type FileStat, RunError } from '@spec/hooks';
import { checkText } from '../given.ts';
import type { StoredFile } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { underFence } from './commit.ts';

/** The content of a thread's files. A text is kept as UTF-8. */
export interface FileContent {
  readonly data: string | Uint8Array;
  readonly mimeType: string | undefined;
}

/** Writes a file in the thread's own file system; an existing file is replaced. @throws {RunError} `invalid_message` for a bad path */
export async function writeFile(view: ThreadView, path: string, content: FileContent): Promise<FileStat> {
  const file = toStoredFile(path, content);
  await storeFile(view, file);
  return toFileStat(file);
}

export function storeFile(view: ThreadView, file: StoredFile): Promise<void> {
  const { core } = view;
  return underFence(view, 'writeFile', (fence) => core.store.writeFile(core.id, fence, file));
}

export async function readFile(core: ThreadCore, path: string): Promise<Uint8Array | null> {
  return (await core.store.readFile(core.id, path))?.data ?? null;
}

export async function statFile(core: ThreadCore, path: string): Promise<FileStat | null> {
  return (await core.store.listFiles(core.id, path)).find((file) => file.path === path) ?? null;
}

export async function listFiles(core: ThreadCore, prefix?: string): Promise<FileStat[]> {
  return core.store.listFiles(core.id, prefix);
}

export function unlinkFile(view: ThreadView, path: string): Promise<boolean> {
  const { core } = view;
  checkText('path of a file', path);
  return underFence(view, 'unlinkFile', (fence) => core.store.deleteFile(core.id, fence, path));
}

/** Reads a stored file. @throws {RunError} `invalid_message` if the path names none */
export function toStoredFile(path: string, { data, mimeType }: FileContent): StoredFile {
  const name = typeof path === 'string' ? path.slice(path.lastIndexOf('/') + 1) : '';
  if (name === '') {
    throw new RunError('invalid_message', 'A file path must name a file, such as "reports/march.txt".');
  }
  if (typeof data !== 'string' && !(data instanceof Uint8Array))
    throw new RunError('invalid_message', 'What a file holds must be a text or bytes (Uint8Array).');
  if (mimeType !== undefined) checkText('MIME type of a file', mimeType);
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const type = mimeType ?? (typeof data === 'string' ? 'text/plain' : 'application/octet-stream');
  return { type: 'file', path, name, mimeType: type, size: bytes.byteLength, data: bytes };
}

/** The description of a file, without its data. */
export function toFileStat({ data: _, ...stat }: StoredFile): FileStat {
  return stat;
}
