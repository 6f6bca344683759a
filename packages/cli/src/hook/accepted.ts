import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord } from '@spec/hooks';

/** The hooks that an agent may run in part, by their ids, as `spec-hooks install --allow-partial` named them. */
export function readAccepted(folder: string, agent: string): readonly string[] {
  try {
    const content: unknown = JSON.parse(readFileSync(acceptedFile(folder), 'utf8'));
    const ids = isRecord(content) && Object.hasOwn(content, agent) ? content[agent] : [];
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps which hooks an agent may run in part; for none it keeps nothing of the agent. */
export function writeAccepted(folder: string, agent: string, ids: readonly string[]): void {
  const file = acceptedFile(folder);
  const others = readAll(file);
  const { [agent]: before, ...rest } = others;
  if (JSON.stringify(before ?? []) === JSON.stringify(ids)) return;
  const all = ids.length === 0 ? rest : { ...rest, [agent]: ids };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(all, undefined, 2)}\n`);
}

/** Where it is kept which hooks may run in part. */
export function acceptedFile(folder: string): string {
  return join(folder, 'partial.json');
}

function readAll(file: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(content) ? content : {};
  } catch {
    return {};
  }
}
