import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '@spec/hooks';
import { stateHome } from './places.ts';

/** What is kept of an MCP server behind the gateway. */
export interface ServerPins {
  /** The configuration and the name of the server in it: `/home/ada/gateway.json#github`. */
  readonly subject: string;
  /** What is trusted, by what it is: `tool search`. `null`: nobody has looked at this server. */
  readonly trusted: Readonly<Record<string, PinnedDefinition>> | null;
  /** What is held back until a person has looked at it. */
  readonly held: readonly HeldDefinition[];
}

/** A definition that is trusted as it is. */
export interface PinnedDefinition {
  readonly fingerprint: string;
  readonly definition: unknown;
}

/** A definition that is held back. */
export interface HeldDefinition {
  readonly key: string;
  readonly why: 'new' | 'changed' | 'hidden';
  readonly fingerprint: string;
  readonly definition: unknown;
  /** Where it hides characters, and the texts with these written out. */
  readonly hidden: readonly { readonly at: string; readonly shown: string }[];
}

/** What is kept of a server; `undefined`: it has never been seen. */
export function readPins(subject: string): ServerPins | undefined {
  return readFile(findFile(subject));
}

/** All servers that have been seen behind a gateway. */
export function listPins(): readonly ServerPins[] {
  let names: string[];
  try {
    names = readdirSync(findPinFolder()).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
  return names.sort().flatMap((name) => readFile(join(findPinFolder(), name)) ?? []);
}

/** What is trusted of all servers, as one text: it changes when a person has looked, and not when something else is held back. */
export function describeTrusted(): string {
  return JSON.stringify(
    listPins().map(({ subject, trusted }) => [
      subject,
      Object.entries(trusted ?? {}).map(([key, one]) => [key, one?.fingerprint]),
    ]),
  );
}

/** Keeps it whole or not at all, for its owner alone. @throws if it cannot be kept: nothing is trusted that is forgotten */
export function writePins(pins: ServerPins): void {
  const file = findFile(pins.subject);
  const text = `${JSON.stringify(pins, undefined, 2)}\n`;
  if (readText(file) === text) return;
  mkdirSync(findPinFolder(), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

/** Forgets a server: it is new when it is seen again. @returns whether there was one */
export function removePins(subject: string): boolean {
  const file = findFile(subject);
  if (readText(file) === undefined) return false;
  rmSync(file);
  return true;
}

/** The folder with what is kept of servers. */
export function findPinFolder(): string {
  return join(stateHome(), 'tools');
}

function findFile(subject: string): string {
  return join(findPinFolder(), `${createHash('sha256').update(subject).digest('hex').slice(0, 24)}.json`);
}

/** `undefined` only where there is no such file: one that cannot be read has no text that counts. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : '';
  }
}

/** A file that cannot be read is no reason to trust anything: its server counts as one of which nothing is trusted. */
function readFile(file: string): ServerPins | undefined {
  const text = readText(file);
  if (text === undefined) return undefined;
  try {
    const pins: unknown = JSON.parse(text);
    if (isPins(pins)) return pins;
  } catch {
    // It is told below.
  }
  return { subject: file, trusted: {}, held: [] };
}

function isPins(value: unknown): value is ServerPins {
  if (!isRecord(value) || typeof value.subject !== 'string' || !Array.isArray(value.held)) return false;
  return value.trusted === null || isRecord(value.trusted);
}
