import { createHash, createHmac, randomBytes } from 'node:crypto';
import { RunError, type ThreadState } from '@spec/hooks';
import { createClaims } from './claims.ts';
import { countersIn, type KeptPlace, keepMemory, keptMarks, keptVault } from './kept.ts';
import { createMemory, type KeptCounters, type KeptMarks, type ThreadMemory } from './memory.ts';
import { inPieces, type Pieces } from './pieces.ts';
import type { Placeholders } from './placeholders.ts';
import type { Seal, Seals } from './seal.ts';
import { readStoredNumbers } from './stored-numbers.ts';
import { createVault, type Vault } from './vault.ts';

export interface ThreadsOptions {
  /** The thread's key for the counters. */
  readonly valueKey: string;
  /** The operator's secret; with it, marks are kept too. */
  readonly secret: string | Uint8Array | undefined;
  /** The most threads remembered at once. */
  readonly maxThreads: number;
  /** Whether values are remembered in order to be restored; with `seals` they are also kept with the thread. */
  readonly restore: { readonly seals: Seals | undefined } | undefined;
  /** Finds the placeholders in the messages of a thread for which nothing is kept. */
  readonly placeholders: Placeholders;
}

/** The memories of the most recently used threads. */
export interface Threads {
  /**
   * Runs `work` with the thread's memory, and keeps what is new in it before handing out the result. So
   * a number in a stored text never goes to another value, even after a crash.
   */
  withMemory<T>(state: ThreadState, work: (memory: ThreadMemory) => Pieces<T>): Promise<T>;
}

interface Entry {
  readonly memory: ThreadMemory;
  /** The version that it was loaded from. */
  readonly loadedFrom: string | undefined;
  readonly seal: Seal | undefined;
  /** What the thread had under the key at the last load or save. */
  kept: unknown;
  saves: number;
  /** Whether another process has saved since. Then the new numbers here may be taken. */
  isOutdated: boolean;
  saving: Promise<unknown>;
  /** How many runs use it. It is not forgotten before they have kept what is new. */
  uses: number;
}

/** How often work is repeated because other processes kept something new first. */
const MAX_ATTEMPTS = 100;
/** The number of attempts after which the others are asked to wait. */
const PATIENT_ATTEMPTS = 2;

export function createThreads(options: ThreadsOptions): Threads {
  const { valueKey, restore } = options;
  const entries = new Map<string, Entry>();
  const claims = createClaims();
  const secret = options.secret ?? randomBytes(32);

  const findEntry = async (state: ThreadState): Promise<Entry | undefined> => {
    const place: KeptPlace = { state, valueKey };
    const before = entries.get(state.threadId);
    const isSaved = before !== undefined && before.memory.savedRevision > 0;
    const counters = countersIn(await claims.keptInTurn(place), valueKey);
    const current = entries.get(state.threadId);
    if (isCurrent(current) && (current !== before || isSameVersion(current, isSaved, counters)))
      return touched(state.threadId, current);
    const loaded = await load(place, options, before?.seal);
    if (loaded === undefined) return undefined;
    const other = entries.get(state.threadId);
    if (isCurrent(other) && other !== before) return touched(state.threadId, other);
    return touched(state.threadId, newEntry({ ...loaded, secret, before: other, options }));
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
      const owner = restore === undefined || entries.has(state.threadId) ? state : await findRoot(state);
      const place: KeptPlace = { state: owner, valueKey };
      const attempt = { place, options, work, signal: () => state.execution?.abortSignal, wasAsked: false };
      for (let count = 0; count < MAX_ATTEMPTS; count++) {
        if (count >= PATIENT_ATTEMPTS) await claims.claim(place);
        const entry = await findEntry(owner);
        if (entry === undefined) continue;
        const done = await workWith(entry, attempt).finally(forgetOldest);
        if (done !== undefined) return done.result;
      }
      throw overtaken(owner);
    },
  };
}

interface Attempt<T> {
  readonly place: KeptPlace;
  readonly options: ThreadsOptions;
  readonly work: (memory: ThreadMemory) => Pieces<T>;
  readonly signal: () => AbortSignal | undefined;
  /** The memory's `asked` before the first attempt, which may have changed it. */
  wasAsked: boolean;
}

/** Does the work and keeps what is new; returns nothing if another process saved meanwhile. */
async function workWith<T>(entry: Entry, attempt: Attempt<T>): Promise<{ readonly result: T } | undefined> {
  const { memory } = entry;
  const { place, options, work, signal } = attempt;
  entry.uses++;
  try {
    memory.asked ||= attempt.wasAsked;
    attempt.wasAsked = memory.asked;
    const result = await inPieces(work(memory), signal);
    return (await save(place, entry, options)) ? { result } : undefined;
  } finally {
    entry.uses--;
  }
}

function overtaken({ threadId }: ThreadState): RunError {
  const message = `Other processes found new values in thread ${threadId} each time before this one could keep its own. Try again.`;
  return new RunError('thread_busy', message, { threadId });
}

/**
 * The root of a thread's family. If values are restored, a thread shares its placeholders with its child threads, so
 * that a placeholder means the same to both.
 */
async function findRoot(state: ThreadState): Promise<ThreadState> {
  let root = state;
  for (let parent = await root.getParentThread(); parent !== null; parent = await root.getParentThread())
    root = parent;
  return root;
}

function isCurrent(entry: Entry | undefined): entry is Entry {
  return entry !== undefined && !entry.isOutdated;
}

/** Whether this memory was loaded from the thread's present counters or wrote them itself. */
function isSameVersion(
  { memory, loadedFrom }: Entry,
  wasSaved: boolean,
  kept: KeptCounters | undefined,
): boolean {
  return kept?.writer === memory.writer || (!wasSaved && makeVersion(kept) === loadedFrom);
}

function makeVersion(kept: KeptCounters | undefined): string | undefined {
  return kept && `${kept.writer} ${kept.saves ?? 0}`;
}

function findLineage(kept: KeptCounters | undefined): string | undefined {
  return kept?.lineage ?? kept?.writer;
}

/** The data kept with a thread, all of one version. */
interface Loaded {
  readonly kept: unknown;
  readonly counters: KeptCounters | undefined;
  /** How far the numbers have come, where no counters are kept. */
  readonly stored: Readonly<Record<string, number>>;
  readonly marks: KeptMarks | undefined;
  readonly vault: Vault | undefined;
  readonly seal: Seal | undefined;
}

/** Returns nothing if another process saved meanwhile. */
async function load(
  place: KeptPlace,
  { secret, restore, placeholders }: ThreadsOptions,
  known: Seal | undefined,
): Promise<Loaded | undefined> {
  const { state, valueKey } = place;
  const seal = known ?? restore?.seals?.(state.threadId);
  const kept = await state.getValue(valueKey);
  const counters = countersIn(kept, valueKey);
  const marks = secret === undefined ? undefined : await keptMarks(place);
  const vault = seal === undefined ? undefined : await keptVault(place, counters, seal);
  const stored = counters === undefined ? await readStoredNumbers(state, placeholders) : {};
  const now = countersIn(await state.getValue(valueKey), valueKey);
  return makeVersion(now) === makeVersion(counters)
    ? { kept, counters, stored, marks, vault, seal }
    : undefined;
}

interface EntryStart extends Loaded {
  readonly secret: string | Uint8Array;
  /** The memory that this process had of the thread before. */
  readonly before: Entry | undefined;
  readonly options: ThreadsOptions;
}

function newEntry({ kept, counters, stored, seal, secret, before, options, ...loaded }: EntryStart): Entry {
  const own = before === undefined ? undefined : stillTrue(before, counters);
  const marks = options.secret === undefined ? own?.marks : loaded.marks;
  const vault = options.restore && (loaded.vault ?? own?.vault ?? createVault());
  const memory = createMemory({
    writer: randomBytes(9).toString('base64url'),
    mark: (label, value) =>
      createHmac('sha256', secret).update(`${label}\0${value}`).digest('base64url').slice(0, 22),
    counters: counters?.counters ?? stored,
    strange: counters?.strange ?? {},
    ...(marks === undefined ? {} : { marks }),
    ...(vault === undefined ? {} : { vault, keepsVault: seal !== undefined }),
  });
  memory.asked = before?.memory.asked === true;
  const loadedFrom = makeVersion(counters);
  return { memory, loadedFrom, seal, kept, saves: 0, isOutdated: false, saving: Promise.resolve(), uses: 0 };
}

/**
 * What only this process knows of a thread after another process went on counting: the values of the numbers that it saved itself,
 * which nobody else gave away. Knows nothing of a thread that was deleted and created again with the same id.
 */
function stillTrue({ memory, kept }: Entry, now: KeptCounters | undefined): OwnKnowledge | undefined {
  const saved = kept as KeptCounters | undefined;
  if (saved === undefined || findLineage(saved) !== findLineage(now)) return undefined;
  const isSaved = (label: string, number: number): boolean => number <= (saved.counters[label] ?? 0);
  const marks = Object.entries(memory.keptMarks()).map(([label, numbers]) => {
    const ofSaved = Object.entries(numbers).filter(([, number]) => isSaved(label, number));
    return [label, Object.fromEntries(ofSaved)] as const;
  });
  const vault = memory.vault?.only(({ label, number }) => isSaved(label, number));
  return { marks: Object.fromEntries(marks), vault };
}

interface OwnKnowledge {
  readonly marks: KeptMarks;
  readonly vault: Vault | undefined;
}

/**
 * Saves of a thread run one after another. A save that finds everything saved does nothing.
 *
 * @returns `false` if another process saved meanwhile: then the work must be repeated with its data
 */
async function save(place: KeptPlace, entry: Entry, { secret }: ThreadsOptions): Promise<boolean> {
  const { memory, seal } = entry;
  const turn = entry.saving.then(async () => {
    const { revision } = memory;
    if (entry.isOutdated) return false;
    if (memory.savedRevision >= revision) return true;
    const lineage = findLineage(entry.kept as KeptCounters | undefined) ?? memory.writer;
    const saves = entry.saves + 1;
    const counters = structuredClone({ ...memory.keptCounters(), saves, lineage });
    const toKeep = { memory, counters, hasMarks: secret !== undefined, seal };
    entry.isOutdated = !(await keepMemory(place, entry.kept, toKeep));
    if (entry.isOutdated) return false;
    Object.assign(entry, { kept: counters, saves });
    memory.savedRevision = revision;
    return true;
  });
  entry.saving = turn.catch(() => undefined);
  return turn;
}

/** A digest that distinguishes texts without keeping them. */
export function digestText(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}
