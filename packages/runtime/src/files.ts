import { type FileStat, RunError } from '@spec/hooks';
import type { StoredFile } from './store.ts';
import type { ThreadCore } from './thread-core.ts';
import type { ThreadView } from './thread-view.ts';

/** What a thread's files hold: a text is kept as UTF-8. */
export interface FileContent {
  readonly data: string | Uint8Array;
  readonly mimeType: string | undefined;
}

/** Writes a file in the thread's own file system, over one that is there. @throws {RunError} `invalid_message` for a bad path */
export async function writeFile(view: ThreadView, path: string, { data, mimeType }: FileContent): Promise<FileStat> {
  const { core, permit } = view;
  const file = toStoredFile(path, { data, mimeType });
  const fence = await core.fence();
  permit?.assertOpen('writeFile');
  await core.store.writeFile(core.id, fence, file);
  return statOf(file);
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

export async function unlinkFile(view: ThreadView, path: string): Promise<boolean> {
  const fence = await view.core.fence();
  view.permit?.assertOpen('unlinkFile');
  return view.core.store.deleteFile(view.core.id, fence, path);
}

function toStoredFile(path: string, { data, mimeType }: FileContent): StoredFile {
  const name = path.split('/').at(-1);
  if (name === undefined || name === '') {
    throw new RunError('invalid_message', 'A file path must name a file, such as "reports/march.txt".');
  }
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const type = mimeType ?? (typeof data === 'string' ? 'text/plain' : 'application/octet-stream');
  return { type: 'file', path, name, mimeType: type, size: bytes.byteLength, data: bytes };
}

function statOf({ data: _, ...stat }: StoredFile): FileStat {
  return stat;
}
