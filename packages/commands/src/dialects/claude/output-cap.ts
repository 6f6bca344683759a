import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What of one output the model is given, in characters; the rest is kept in a file. */
const MOST = 10_000;

/** Where files of the dialect are kept that a hook or the model may read later, as long as the process runs. */
export interface PrivateFolder {
  /** A path in the folder, which is made when first asked for, for this user alone. @throws the system's error */
  path(name: string): string;
}

/** @param folder default: a new folder for temporary files */
export function privateFolder(folder?: string): PrivateFolder {
  let made: string | undefined;
  return {
    path(name) {
      if (made === undefined && folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
      made ??= folder ?? temporaryFolder();
      return join(made, name.replace(/[^\w.-]/g, '_'));
    },
  };
}

/** Folders of this process, which go with it: what is in them is for its sessions. */
const temporary = new Set<string>();

function temporaryFolder(): string {
  if (temporary.size === 0)
    process.once('exit', () => {
      for (const folder of temporary) rmSync(folder, { recursive: true, force: true });
    });
  const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-claude-'));
  temporary.add(folder);
  return folder;
}

/** Cuts a text that is too long for the model, and says where the whole of it is. */
export function capped(text: string, name: string, folder: PrivateFolder): string {
  if (text.length <= MOST) return text;
  const end = isHighSurrogate(text, MOST - 1) ? MOST - 1 : MOST;
  return `${text.slice(0, end)}\n[${text.length - end} more characters: ${kept(text, name, folder)}]`;
}

function kept(text: string, name: string, folder: PrivateFolder): string {
  try {
    const path = folder.path(`${name}.txt`);
    writeFileSync(path, text, { mode: 0o600 });
    return `the whole output is in ${path}`;
  } catch {
    return 'they could not be kept';
  }
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff;
}
