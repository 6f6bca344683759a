import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntryAnswer } from '../../normal-form.ts';

/** The most characters of one output that the model gets. The rest is kept in a file. */
const MOST = 10_000;

/** Keeps the dialect's files that a hook or the model may read later, until they are removed or the process ends. */
export interface PrivateFolder {
  /** A path in the folder, which is made when first asked for, for this user alone. @throws the system's error */
  path(name: string): string;
  /** Removes the files; also the folder if it is temporary. */
  remove(): void;
}

/** @param folder default: a new folder for temporary files */
export function privateFolder(folder?: string): PrivateFolder {
  let made: string | undefined;
  const paths = new Set<string>();
  return {
    path(name) {
      if (made === undefined && folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
      made ??= folder ?? temporaryFolder();
      const path = join(made, name.replace(/[^\w.-]/g, '_'));
      paths.add(path);
      return path;
    },
    remove() {
      for (const path of paths) rmSync(path, { force: true });
      paths.clear();
      if (made !== undefined && folder === undefined) rmSync(made, { recursive: true, force: true });
      made = undefined;
    },
  };
}

/** Folders of this process, removed when it exits. They hold files for its sessions. */
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

/** Shortens texts of an answer that are too long for the model, and says where the full texts are. */
export function shortenAnswer(answer: EntryAnswer, name: string, folder: PrivateFolder): EntryAnswer {
  const shortened: { -readonly [K in keyof EntryAnswer]: EntryAnswer[K] } = { ...answer };
  for (const field of ['reason', 'userMessage', 'context', 'output'] as const) {
    const text = answer[field];
    if (text !== undefined) shortened[field] = capped(text, `${name}-${field}`, folder);
  }
  return shortened;
}

function capped(text: string, name: string, folder: PrivateFolder): string {
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
