import { RunError } from '../errors.ts';
import type { FileStat } from '../vocabulary/state.ts';

/** A file of a fake state, with what is in it. */
export interface FakeFile extends FileStat {
  readonly data: Uint8Array;
  /** The data as UTF-8. */
  readonly text: string;
}

/** The files of one thread, by path. */
export interface FakeFiles {
  write(path: string, data: string | Uint8Array, mimeType?: string): FileStat;
  read(path: string): Uint8Array | null;
  stat(path: string): FileStat | null;
  list(prefix?: string): FileStat[];
  remove(path: string): boolean;
  all(): Record<string, FakeFile>;
}

interface StoredFile {
  readonly stat: FileStat;
  readonly data: Uint8Array;
}

/** Files in memory. */
export function fakeFiles(): FakeFiles {
  const files = new Map<string, StoredFile>();
  const sorted = () => [...files.values()].sort((a, b) => (a.stat.path < b.stat.path ? -1 : 1));
  return {
    write(path, data, mimeType) {
      const file = storedFile(path, data, mimeType);
      files.set(path, file);
      return { ...file.stat };
    },
    read: (path) => files.get(path)?.data.slice() ?? null,
    stat: (path) => copyStat(files.get(path)?.stat),
    list: (prefix = '') => sorted().flatMap(({ stat }) => (stat.path.startsWith(prefix) ? { ...stat } : [])),
    remove: (path) => files.delete(path),
    all: () =>
      Object.fromEntries(
        sorted().map(({ stat, data }) => [stat.path, { ...stat, data: data.slice(), text: decode(data) }]),
      ),
  };
}

function storedFile(path: string, data: string | Uint8Array, mimeType: string | undefined): StoredFile {
  const name = path.split('/').at(-1);
  if (!name)
    throw new RunError('invalid_message', 'A file path must name a file, such as "reports/march.txt".');
  const isText = typeof data === 'string';
  const bytes = isText ? new TextEncoder().encode(data) : data.slice();
  const type = mimeType ?? (isText ? 'text/plain' : 'application/octet-stream');
  return { stat: { type: 'file', path, name, mimeType: type, size: bytes.byteLength }, data: bytes };
}

function copyStat(stat: FileStat | undefined): FileStat | null {
  return stat === undefined ? null : { ...stat };
}

function decode(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}
