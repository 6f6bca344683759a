import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionMemory } from '@spec/agents';
import { isRecord } from '@spec/hooks';

/** What is kept of a session between its events. */
export interface KeptSession extends SessionMemory {
  /** Whether somebody was told that the hooks of the project do not run. */
  told: boolean;
  save(): void;
}

/** Opens what is kept of a session. What cannot be read is begun anew. */
export function openSession(folder: string, session: string): KeptSession {
  const name = createHash('sha256').update(session).digest('hex').slice(0, 16);
  const file = join(folder, `session-${name}.json`);
  const kept = readRecord(file);
  const values = new Map(Object.entries(isRecord(kept.values) ? kept.values : {}));
  let last = JSON.stringify(kept);
  const memory: KeptSession = {
    keptGoing: typeof kept.keptGoing === 'number' ? kept.keptGoing : 0,
    told: kept.told === true,
    values: {
      getValue: async (key) => values.get(key) as never,
      setValue: async (key, value) => setAll(values, [{ key, value }]),
      setValuesIf: async ({ key, value }, next) => {
        if (JSON.stringify(values.get(key)) !== JSON.stringify(value)) return false;
        setAll(values, next);
        return true;
      },
    },
    save() {
      const { keptGoing, told } = memory;
      const now = { keptGoing, told, values: Object.fromEntries(values) };
      if (JSON.stringify(now) === last) return;
      last = JSON.stringify(now);
      writeRecord(file, now);
    },
  };
  return memory;
}

function setAll(values: Map<string, unknown>, next: readonly { key: string; value?: unknown }[]): void {
  for (const { key, value } of next) {
    if (value === undefined || value === null) values.delete(key);
    else values.set(key, value);
  }
}

/** What an agent last told: the proof that it has loaded its hooks. */
export interface Heartbeat {
  readonly event: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Notes that an agent has told of an event. */
export function noteHeartbeat(folder: string, agent: string, event: string): void {
  writeRecord(join(folder, `seen-${agent}.json`), { event, at: Date.now() } satisfies Heartbeat);
}

/** Its entries are others now: whether it loads those, what it told before does not show. */
export function forgetHeartbeat(folder: string, agent: string): void {
  rmSync(join(folder, `seen-${agent}.json`), { force: true });
}

/** What an agent last told; `undefined`: nothing yet. */
export function readHeartbeat(folder: string, agent: string): Heartbeat | undefined {
  const { event, at } = readRecord(join(folder, `seen-${agent}.json`));
  return typeof event === 'string' && typeof at === 'number' ? { event, at } : undefined;
}

function readRecord(file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** Whole or not at all, for its owner alone. What cannot be kept must not keep a hook from answering. */
function writeRecord(file: string, record: object): void {
  try {
    const draft = `${file}.${process.pid}.tmp`;
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // A full or read-only disk.
  }
}
