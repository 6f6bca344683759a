import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord } from '@spec/hooks';
import { stateHome } from '../agent-state/places.ts';
import type { Rewritten } from './edit-servers.ts';

/** The entries of a configuration as they were, so that they can be put back. They may hold secrets: the file is for its owner alone. */
export function readOriginals(file: string): readonly Rewritten[] {
  try {
    const content: unknown = JSON.parse(readFileSync(findOriginals(file), 'utf8'));
    return isRecord(content) && Array.isArray(content.entries) ? content.entries.filter(isRewritten) : [];
  } catch {
    return [];
  }
}

function isRewritten(value: unknown): value is Rewritten {
  return isRecord(value) && ['name', 'original', 'written'].every((key) => typeof value[key] === 'string');
}

/** Keeps them whole or not at all. */
export function writeOriginals(file: string, entries: readonly Rewritten[]): void {
  const path = findOriginals(file);
  if (entries.length === 0) {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify({ file, entries }, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

function findOriginals(file: string): string {
  const key = createHash('sha256').update(file).digest('hex').slice(0, 24);
  return join(stateHome(), 'gateway', `${key}.json`);
}
