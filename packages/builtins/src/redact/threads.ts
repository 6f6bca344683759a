import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { ThreadState } from '@spec/hooks';
import {
  type KeptPlace,
  keepCounters,
  keepMarks,
  keepValues,
  keptCounters,
  keptMarks,
  keptVault,
} from './kept.ts';
import { createMemory, type KeptCounters, type KeptMarks, type ThreadMemory } from './memory.ts';
import { inPieces, type Pieces } from './pieces.ts';
import type { Seal, Seals } from './seal.ts';
import { createVault, type Vault } from './vault.ts';

export interface ThreadsOptions {
  /** Under which key of the thread the counters are kept. */
  readonly valueKey: string;
  /** The operator's secret; with it the marks are kept too. */
  readonly secret: string | Uint8Array | undefined;
  /** The most threads remembered at once. */
  readonly maxThreads: number;
  /** Whether values are put back, and so remembered; with `seals` they are kept with the thread too. */
  readonly restore: { readonly seals: Seals | undefined } | undefined;
}

/** The memories of the threads that were worked on last. */
export interface Threads {
  /**
   * Runs `work` with the thread's memory, and keeps with the thread what is new in it before the result is handed out: a
   * number that stands in a stored text is never given to another value, not even after a crash.
   */
  withMemory<T>(state: ThreadState, work: (memory: ThreadMemory) => Pieces<T>): Promise<T>;
}

interface Entry {
  readonly memory: ThreadMemory;
  /** The writer whose counters it began with. */
  readonly loadedFrom: string | undefined;
  readonly seal: Seal | undefined;
  saving: Promise<void>;
  /** How many runs work with it; it is not forgotten before they have kept what is new. */
  uses: number;
}

export function createThreads(options: ThreadsOptions): Threads {
  const { valueKey, restore } = options;
  const entries = new Map<string, Entry>();
  const secret = options.secret ?? randomBytes(32);

  const entryOf = async (state: ThreadState): Promise<Entry> => {
    const place: KeptPlace = { state, valueKey };
    const before = entries.get(state.threadId);
    const isSaved = before !== undefined && before.memory.savedRevision > 0;
    const counters = await keptCounters(place);
    const current = entries.get(state.threadId);
    if (current !== undefined && (current !== before || isOf(current, isSaved, counters)))
      return touched(state.threadId, current);
    const marks = options.secret === undefined ? undefined : await keptMarks(place);
    const seal = restore?.seals?.(state.threadId);
    const sealed = seal === undefined ? undefined : await keptVault(place, counters, seal);
    const other = entries.get(state.threadId);
    if (other !== undefined && other !== before) return touched(state.threadId, other);
    const vault = restore === undefined ? undefined : (sealed ?? createVault());
    return touched(state.threadId, newEntry({ counters, marks, vault, seal, secret }));
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
      const owner = restore === undefined || entries.has(state.threadId) ? state : await rootOf(state);
      const entry = await entryOf(owner);
      entry.uses++;
      try {
        const result = await inPieces(work(entry.memory), () => state.execution?.abortSignal);
        await save({ state: owner, valueKey }, entry, options);
        return result;
      } finally {
        entry.uses--;
        forgetOldest();
      }
    },
  };
}

/**
 * The thread that a thread works for in the end. Where values are put back, a thread shares its placeholders with its child threads:
 * what one passes to the other means the same to both.
 */
async function rootOf(state: ThreadState): Promise<ThreadState> {
  let root = state;
  for (let parent = await root.getParentThread(); parent !== null; parent = await root.getParentThread())
    root = parent;
  return root;
}

/** Whether the thread's counters are the ones this memory began with or wrote itself. */
function isOf({ memory, loadedFrom }: Entry, wasSaved: boolean, kept: KeptCounters | undefined): boolean {
  return kept?.writer === memory.writer || (!wasSaved && kept?.writer === loadedFrom);
}

interface EntryStart {
  readonly counters: KeptCounters | undefined;
  readonly marks: KeptMarks | undefined;
  readonly vault: Vault | undefined;
  readonly seal: Seal | undefined;
  readonly secret: string | Uint8Array;
}

function newEntry({ counters, marks, vault, seal, secret }: EntryStart): Entry {
  const memory = createMemory({
    writer: randomBytes(9).toString('base64url'),
    mark: (label, value) =>
      createHmac('sha256', secret).update(`${label}\0${value}`).digest('base64url').slice(0, 22),
    ...(counters === undefined ? {} : { counters: counters.counters, strange: counters.strange ?? {} }),
    ...(marks === undefined ? {} : { marks }),
    ...(vault === undefined ? {} : { vault, keepsVault: seal !== undefined }),
  });
  return { memory, loadedFrom: counters?.writer, seal, saving: Promise.resolve(), uses: 0 };
}

/** Saves of a thread run one after the other, and one that finds everything saved does nothing. */
async function save(place: KeptPlace, entry: Entry, { secret }: ThreadsOptions): Promise<void> {
  const { memory, seal } = entry;
  const turn = entry.saving.then(async () => {
    const { revision } = memory;
    if (memory.savedRevision >= revision) return;
    if (seal !== undefined && memory.vault !== undefined) await keepValues(place, memory.vault, seal);
    if (secret !== undefined) await keepMarks(place, memory);
    await keepCounters(place, memory);
    memory.savedRevision = revision;
  });
  entry.saving = turn.catch(() => undefined);
  return turn;
}

/** A digest that tells texts apart without keeping them. */
export function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}
