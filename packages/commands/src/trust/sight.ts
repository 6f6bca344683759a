import { isExecutable, readRegularFile } from '@spec/hooks/node';
import type { FilePosition } from '../normal-form.ts';
import { findStats } from './candidates.ts';
import type { Language } from './languages.ts';
import type { ReadCommand } from './read-commands.ts';

/** Code of an entry that the fingerprint does not cover. */
export interface UnseenCode {
  /** The entry's position. */
  readonly position: FilePosition;
  /** The end of a sentence about its command. */
  readonly why: string;
}

/** What has been found so far. */
export interface Sight {
  /** The project's folder, absolute. */
  readonly project: string;
  readonly scripts: Set<string>;
  /** All paths that were looked for, existing or not. */
  readonly paths: Set<string>;
  /** Lines of other settings that may run something. */
  readonly settings: Set<string>;
  readonly unseen: Map<string, UnseenCode>;
  /** Scripts that were searched, with their language. */
  readonly visited: Set<string>;
  /** What was looked at and where, and how many scripts led there at least. */
  readonly looked: Map<string, number>;
  /** How often anything was looked at. */
  looks: number;
  /** Files that were sourced, by their path and the folders in which that was done. */
  readonly sourced: Map<string, SourcedFile>;
}

/** The commands of a file, and the files that these source. */
export interface SourcedFile {
  readonly commands: readonly ReadCommand[];
  readonly files: readonly string[];
}

export const newSight = (project: string): Sight => ({
  project,
  scripts: new Set(),
  paths: new Set(),
  settings: new Set(),
  unseen: new Map(),
  visited: new Set(),
  looked: new Map(),
  looks: 0,
  sourced: new Map(),
});

/** Notes that the fingerprint does not cover some code of an entry. */
export function addUnseen({ unseen }: Sight, position: FilePosition, why: string): void {
  unseen.set(`${position.path} ${why}`, { position, why });
}

/** The most bytes read from a script. */
export const MAX_SCRIPT_BYTES = 16_777_216;
const MAX_SCRIPTS = 300;

/** Reads and notes a script that was not searched yet; `undefined` if it is missing or not text. */
export function takeScript(
  sight: Sight,
  path: string,
  { language, tooMuch }: { readonly language: Language | 'program'; readonly tooMuch: () => void },
): string | undefined {
  if (isSystem(path, sight)) return undefined;
  sight.paths.add(path);
  const key = `${language} ${path}`;
  if (sight.visited.has(key) || findStats(path)?.isFile() !== true) return undefined;
  sight.visited.add(key);
  sight.scripts.add(path);
  if (sight.visited.size > MAX_SCRIPTS) tooMuch();
  else
    try {
      const text = readRegularFile(path, MAX_SCRIPT_BYTES).toString('utf8');
      return text.includes('\0') ? undefined : text;
    } catch {
      tooMuch();
    }
  return undefined;
}

/** The text of a file; empty if missing. */
export function readFileOrNothing(path: string): string {
  try {
    return readRegularFile(path, MAX_SCRIPT_BYTES).toString('utf8');
  } catch {
    return '';
  }
}

const SYSTEM = /^\/(?:bin|sbin|usr|lib|lib64|dev|proc|sys)\//;

/** Files of the system are trusted together with it. A project may lie among them. */
export function isSystem(path: string, { project }: Pick<Sight, 'project'>): boolean {
  return SYSTEM.test(path) && !/^\/usr\/(?:local\/)?src\//.test(path) && !path.startsWith(`${project}/`);
}

/** Names of scripts. */
export const SCRIPT: RegExp =
  /\.(?:sh|bash|zsh|fish|ksh|py|js|mjs|cjs|ts|mts|cts|rb|pl|php|lua|awk|sed|jq|ps1|bat|cmd|exe|jar|wasm)$/i;

/** Whether a file is a script, judged by its name, its mode or its first characters. */
export function looksLikeScript(path: string): boolean {
  if (SCRIPT.test(path)) return true;
  return findStats(path)?.isFile() === true && (isExecutable(path) || startsAsScript(path));
}

function startsAsScript(path: string): boolean {
  return readFileOrNothing(path).startsWith('#!');
}
