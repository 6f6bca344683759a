import { createHash, type Hash } from 'node:crypto';
import { isExecutable, readRegularFile } from '@spec/hooks/node';
import type { JsonObject, JsonValue } from 'type-fest';
import { dialectTraits } from '../dialect-traits.ts';
import { isObject } from '../json-object.ts';
import type { CommandEntry } from '../normal-form.ts';
import { type NamedFiles, namedFiles, type ScriptPlaces } from './script-files.ts';
import { MAX_SCRIPT_BYTES } from './sight.ts';

/** What a person trusts: a configuration and its scripts at one moment. */
export interface Fingerprint extends NamedFiles {
  /** A hash that changes whenever the file's hooks or one of their scripts change. */
  readonly value: string;
}

/** The subject of a fingerprint. */
export interface TrustSubject extends ScriptPlaces {
  readonly content: JsonObject;
  readonly entries: readonly CommandEntry[];
}

/**
 * Takes the fingerprint of a settings file. It covers which hooks run, the content and executable bit of their scripts, and the git
 * settings that may run something. It does not cover the file's other settings.
 */
export function takeFingerprint(subject: TrustSubject): Fingerprint {
  const { dialect, content, entries } = subject;
  const named = namedFiles(entries, subject);
  const hash = createHash('sha256');
  add(hash, 'v4', dialect, selectWhatRuns(content));
  for (const path of named.scripts)
    add(hash, path, isExecutable(path) ? 'may be executed' : '', readScript(path));
  add(hash, 'settings', ...named.settings);
  return { ...named, value: `sha256:${hash.digest('hex')}` };
}

/** Keys beside `hooks` that the formats read, as paths. */
const SWITCHES = [
  ...new Set(['dialect', ...Object.values(dialectTraits).flatMap(({ switches = [] }) => switches)]),
].map((path) => path.split('.'));

/** The part of a settings file that says which hooks run, as one text. */
export function selectWhatRuns(content: JsonObject): string {
  if (content.hooks === undefined) return canonical(content);
  const { hooks } = content;
  const others = SWITCHES.flatMap((path) => {
    const value = path.reduce<JsonValue | undefined>(readInside, content);
    return value === undefined ? [] : [[path.join('.'), value] as const];
  });
  return canonical({ hooks, ...Object.fromEntries(others) });
}

function readInside(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Adds each part with its length, so that no two lists of parts give the same text. */
function add(hash: Hash, ...parts: readonly (string | Buffer)[]): void {
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
}

function readScript(path: string): Buffer | string {
  try {
    return readRegularFile(path, MAX_SCRIPT_BYTES);
  } catch (error) {
    return (error as Error).message;
  }
}

/** JSON with sorted keys: comments, white space and the order of keys do not matter, the order of entries does. */
function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inside]) => `${JSON.stringify(key)}:${canonical(inside)}`).join(',')}}`;
}
