import { createHash, createHmac, randomBytes } from 'node:crypto';
import { RunError, type ThreadState } from '@spec/hooks';
import { createMemory, type KeptCounters, type KeptMarks, type ThreadMemory } from './memory.ts';

export interface ThreadsOptions {
  /** Under which key of the thread the counters are kept. */
  readonly valueKey: string;
  /** The operator's secret; with it the marks are kept too. */
  readonly secret: string | Uint8Array | undefined;
  /** The most threads remembered at once. */
  readonly maxThreads: number;
}

/** The memories of the threads that were worked on last. */
export interface Threads {
  /**
   * Runs `work` with the thread's memory, and keeps with the thread what is new in it before the result is handed out: a
   * number that stands in a stored text is never given to another value, not even after a crash.
   */
  withMemory<T>(state: ThreadState, work: (memory: ThreadMemory) => T): Promise<T>;
}

interface Entry {
  readonly memory: ThreadMemory;
  /** The writer whose counters it began with. */
  readonly loadedFrom: string | undefined;
  saving: Promise<void>;
  /** How many runs work with it; it is not forgotten before they have kept what is new. */
  uses: number;
}

export function createThreads(options: ThreadsOptions): Threads {
  const entries = new Map<string, Entry>();
  const secret = options.secret ?? randomBytes(32);

  const entryOf = async (state: ThreadState): Promise<Entry> => {
    const before = entries.get(state.threadId);
    const isSaved = before !== undefined && before.memory.savedRevision > 0;
    const kept = checkedCounters(await state.getValue(options.valueKey), options.valueKey);
    const current = entries.get(state.threadId);
    if (current !== undefined && (current !== before || isOf(current, isSaved, kept)))
      return touched(state.threadId, current);
    const marks = options.secret === undefined ? undefined : await keptMarks(state, options.valueKey);
    const other = entries.get(state.threadId);
    if (other !== undefined && other !== before) return touched(state.threadId, other);
    return touched(state.threadId, newEntry(kept, marks, secret));
  };

  const touched = (threadId: string, entry: Entry): Entry => {
    entries.delete(threadId);
    entries.set(threadId, entry);
    return entry;
  };

  const forgetOldest = (): void => {
    for (const [threadId, { uses }] of entries) {
      if (entries.size <= options.maxThreads) return;
      if (uses === 0) entries.delete(threadId);
    }
  };

  return {
    async withMemory(state, work) {
      const entry = await entryOf(state);
      entry.uses++;
      try {
        const result = work(entry.memory);
        await save(state, entry, options);
        return result;
      } finally {
        entry.uses--;
        forgetOldest();
      }
    },
  };
}

/** Whether the thread's counters are the ones this memory began with or wrote itself. */
function isOf({ memory, loadedFrom }: Entry, wasSaved: boolean, kept: KeptCounters | undefined): boolean {
  return kept?.writer === memory.writer || (!wasSaved && kept?.writer === loadedFrom);
}

function newEntry(
  kept: KeptCounters | undefined,
  marks: KeptMarks | undefined,
  secret: string | Uint8Array,
): Entry {
  const memory = createMemory({
    writer: randomBytes(9).toString('base64url'),
    mark: (label, value) =>
      createHmac('sha256', secret).update(`${label}\0${value}`).digest('base64url').slice(0, 22),
    ...(kept === undefined ? {} : { counters: kept.counters }),
    ...(marks === undefined ? {} : { marks }),
  });
  return { memory, loadedFrom: kept?.writer, saving: Promise.resolve(), uses: 0 };
}

/** Saves of a thread run one after the other, and one that finds everything saved does nothing. */
async function save(state: ThreadState, entry: Entry, options: ThreadsOptions): Promise<void> {
  const { memory } = entry;
  const turn = entry.saving.then(async () => {
    const { revision } = memory;
    if (memory.savedRevision >= revision) return;
    // The marks first: counters without marks are what a thread without a key has, marks without counters would lie.
    if (options.secret !== undefined) await state.setValue(marksKey(options.valueKey), memory.keptMarks());
    await state.setValue(options.valueKey, memory.keptCounters());
    memory.savedRevision = revision;
  });
  entry.saving = turn.catch(() => undefined);
  return turn;
}

const marksKey = (valueKey: string): string => `${valueKey}_marks`;

async function keptMarks(state: ThreadState, valueKey: string): Promise<KeptMarks | undefined> {
  const marks = await state.getValue(marksKey(valueKey));
  if (marks === undefined || marks === null) return undefined;
  if (isRecord(marks) && Object.values(marks).every(isCounters)) return marks as KeptMarks;
  throw notOurs(marksKey(valueKey));
}

function checkedCounters(value: unknown, valueKey: string): KeptCounters | undefined {
  if (value === undefined || value === null) return undefined;
  if (isRecord(value) && typeof value.writer === 'string' && isCounters(value.counters))
    return value as never;
  throw notOurs(valueKey);
}

/** To go on without the counters could give a number to a second value. */
function notOurs(valueKey: string): RunError {
  return new RunError(
    'hook_failed',
    `The thread's value "${valueKey}" is not what redact keeps there. Keep other values under other keys, or give redact another id.`,
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCounters = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((count) => Number.isSafeInteger(count));

/** A digest that tells texts apart without keeping them. */
export function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}
