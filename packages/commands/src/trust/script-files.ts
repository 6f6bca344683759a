import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { CommandEntry } from '../normal-form.ts';

/** Where the words of a command are looked up as files. */
export interface ScriptPlaces {
  /** Absolute. */
  readonly projectDir: string;
  /** Absolute: the settings file. */
  readonly settingsPath: string;
}

/**
 * The script files that entries name, in their commands and conditions: absolute paths, sorted. A word counts that leads to a file
 * with the extension of a script, one that can be executed, or one that begins with `#!`; and so does a path with the extension of
 * a script that leads to no file yet. What a script loads by itself nobody can tell.
 */
export function scriptFiles(entries: readonly CommandEntry[], places: ScriptPlaces): string[] {
  const found = new Set<string>();
  for (const { handler, condition } of entries) {
    const texts = handler.type === 'command' ? [handler.command, ...(handler.args ?? [])] : [];
    for (const text of [...texts, condition ?? '']) {
      for (const word of wordsOf(text, places)) {
        const path = resolve(places.projectDir, word);
        if (!isSystem(path) && isScript(path)) found.add(path);
      }
    }
  }
  return [...found].sort();
}

/** The words of a shell text, also those inside of quotes: a script's name may stand anywhere. */
function wordsOf(text: string, places: ScriptPlaces): string[] {
  const plain = withFolders(text, places);
  const words = plain.split(/[\s;|&()<>`,=]+/).flatMap((word) => [word, word.replace(/["']/g, '')]);
  const quoted = [...plain.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, one, other]) => one ?? other ?? '');
  return [...new Set([...words, ...quoted])].filter((word) => word !== '' && !/[\n$*?]/.test(word));
}

/** Folders that commands name by variables. */
function withFolders(text: string, { projectDir, settingsPath }: ScriptPlaces): string {
  const plugin = resolve(settingsPath, '..', '..');
  return text
    .replace(/["']?\$\{?CLAUDE_PROJECT_DIR\}?["']?/g, () => projectDir)
    .replace(/["']?\$\{?CLAUDE_PLUGIN_ROOT\}?["']?/g, () => plugin)
    .replace(/["']?\$\{?(?:PROJECT_ROOT|PWD)\}?["']?|\$\(pwd\)/g, () => projectDir)
    .replace(/["']?\$\{?HOME\}?["']?|(?<![\w/])~(?=\/)/g, () => homedir());
}

const SYSTEM = /^\/(?:bin|sbin|usr|lib|lib64|dev|proc|sys)\//;

/** What comes with the system is trusted with it. */
function isSystem(path: string): boolean {
  return SYSTEM.test(path);
}

const SCRIPT =
  /\.(?:sh|bash|zsh|fish|ksh|py|js|mjs|cjs|ts|mts|cts|rb|pl|php|lua|awk|sed|jq|ps1|bat|cmd|exe|jar|wasm)$/i;

function isScript(path: string): boolean {
  if (SCRIPT.test(path)) return true;
  try {
    if (!statSync(path).isFile()) return false;
    return isExecutable(path) || startsAsScript(path);
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function startsAsScript(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(2);
    return readSync(file, start) === 2 && start.toString() === '#!';
  } finally {
    closeSync(file);
  }
}
