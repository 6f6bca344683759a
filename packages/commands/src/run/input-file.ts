import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file that holds one command's payload, open for reading from its start. */
export interface InputFile {
  readonly path: string;
  readonly descriptor: number;
}

let folder: string | undefined;
let count = 0;

/** The folder of this process for payloads, readable by its owner alone; made when first asked for. */
export function inputFolder(): string {
  folder ??= mkdtempSync(join(tmpdir(), 'hook-input-'));
  return folder;
}

/** Writes a payload into a new private file. @throws the system's error */
export function writeInput(payload: string): InputFile {
  const { path, descriptor } = openPrivate();
  try {
    // Written at a position, so that the descriptor's own stays at the start, where the command begins to read.
    const bytes = Buffer.from(payload);
    let written = 0;
    while (written < bytes.length) {
      written += writeSync(descriptor, bytes, written, bytes.length - written, written);
    }
  } catch (error) {
    closeSync(descriptor);
    removeFile(path);
    throw error;
  }
  return { path, descriptor };
}

/** A new empty file in the private folder, open for reading and writing. */
export function openPrivate(): InputFile {
  const path = join(inputFolder(), String(++count));
  return { path, descriptor: openNew(path) };
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx+', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // Something cleaned the temporary folders. A folder that somebody else put there is refused.
    mkdirSync(inputFolder(), { mode: 0o700 });
    return openSync(path, 'wx+', 0o600);
  }
}

export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It went with its folder.
  }
}

export function removeInputFolder(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}
