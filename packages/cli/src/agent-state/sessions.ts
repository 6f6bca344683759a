import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SessionMemory } from '@spec/agents';
import { isRecord, type ThreadState } from '@spec/hooks';
import { whileWaited } from './lock.ts';

/** What is kept of a session between its events. */
export interface KeptSession extends SessionMemory {
  readonly values: Pick<ThreadState, 'getValue' | 'setValue' | 'setValuesIf'>;
  /** Whether somebody was told that the hooks of the project do not run. */
  told: boolean;
  /** Keeps what has changed since it was opened. */
  save(): Promise<void>;
}

/** A value with its key, as hooks set it; without a value it is taken away. */
interface SetValue {
  readonly key: string;
  readonly value?: unknown;
}

/** Opens what is kept of a session. What cannot be read is begun anew. Other processes may answer other events of it at the same time. */
export function openSession(folder: string, session: string): KeptSession {
  const name = createHash('sha256').update(session).digest('hex').slice(0, 16);
  const file = join(folder, `session-${name}.json`);
  let kept = readKept(file);
  let unsaved: readonly SetValue[] = [];
  /** Reads what is kept now, with what was set here and is not kept yet, and keeps what becomes of it. */
  const update = (work: (now: SessionRecord) => SessionRecord | undefined): Promise<void> =>
    whileWaited(`${file.slice(0, -'.json'.length)}.lock`, () => {
      const found = readKept(file);
      const now = { ...found, values: withValues(found.values, unsaved) };
      const next = work(now);
      kept = next ?? now;
      if (next !== undefined) unsaved = writeSession(file, next) ? [] : listValues(next);
    });
  const memory: KeptSession = {
    keptGoing: kept.keptGoing,
    told: kept.told,
    values: {
      getValue: async (key) => kept.values.get(key),
      async setValue(key, value) {
        const set = { key, value };
        unsaved = [...unsaved, set];
        kept = { ...kept, values: withValues(kept.values, [set]) };
      },
      async setValuesIf(expected, next) {
        let isSet = false;
        await update((now) => {
          isSet = JSON.stringify(now.values.get(expected.key)) === JSON.stringify(expected.value);
          return isSet ? { ...now, values: withValues(now.values, next) } : undefined;
        });
        return isSet;
      },
    },
    async save() {
      const { keptGoing, told } = memory;
      const changed = {
        ...(keptGoing === last.keptGoing ? {} : { keptGoing }),
        ...(told === last.told ? {} : { told }),
      };
      last = { keptGoing, told };
      if (unsaved.length === 0 && Object.keys(changed).length === 0) return;
      await update((now) => ({ ...now, ...changed }));
    },
  };
  let last = { keptGoing: memory.keptGoing, told: memory.told };
  return memory;
}

interface SessionRecord {
  readonly keptGoing: number;
  readonly told: boolean;
  readonly values: ReadonlyMap<string, unknown>;
}

function readKept(file: string): SessionRecord {
  const { keptGoing, told, values } = readRecord(file);
  return {
    keptGoing: typeof keptGoing === 'number' ? keptGoing : 0,
    told: told === true,
    values: new Map(Object.entries(isRecord(values) ? values : {})),
  };
}

function writeSession(file: string, { values, ...record }: SessionRecord): boolean {
  return writeRecord(file, { ...record, values: Object.fromEntries(values) });
}

function withValues(values: SessionRecord['values'], set: readonly SetValue[]): SessionRecord['values'] {
  const all = new Map(values);
  for (const { key, value } of set) {
    if (value === undefined || value === null) all.delete(key);
    else all.set(key, value);
  }
  return all;
}

function listValues({ values }: SessionRecord): readonly SetValue[] {
  return Array.from(values, ([key, value]) => ({ key, value }));
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
function writeRecord(file: string, record: object): boolean {
  try {
    const draft = `${file}.${process.pid}.tmp`;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
    renameSync(draft, file);
    return true;
  } catch {
    return false; // A full or read-only disk.
  }
}
