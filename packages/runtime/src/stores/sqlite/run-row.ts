import type { LedgerEntry } from '../../store.ts';
import { foreignEntry } from '../refusals.ts';

/** The runs of one step of one turn, as a row of `hook_runs` without its thread. */
export interface RunRow {
  turnId: string | null;
  step: number;
  /** A JSON list with one {@link PackedRun} for each run. */
  runs: string;
}

/** A run by position, which is a third of the bytes; `null` for what was absent. Fields added later go into `more`. */
type PackedRun = [
  hook: string,
  id: string,
  source: string,
  outcome: string,
  changed: 0 | 1,
  ms: number,
  sizeBefore: number,
  sizeAfter: number,
  at: number,
  code: string | null,
  why: string | null,
  more?: Record<string, unknown>,
];

/**
 * The rows of the entries of one append: neighbours of the same step share one.
 * @throws RunError `invalid_input` for an entry of another thread.
 */
export function encodeRuns(entries: readonly LedgerEntry[], threadId: string): RunRow[] {
  const groups: { turnId: string | null; step: number; packed: PackedRun[] }[] = [];
  for (const entry of entries) {
    if (entry.threadId !== threadId) throw foreignEntry(threadId);
    const { turnId, step } = entry;
    const last = groups.at(-1);
    if (last?.turnId === turnId && last.step === step) last.packed.push(pack(entry));
    else groups.push({ turnId, step, packed: [pack(entry)] });
  }
  return groups.map(({ turnId, step, packed }) => ({ turnId, step, runs: JSON.stringify(packed) }));
}

/** The entries of a row. */
export function decodeRuns(row: RunRow, threadId: string): LedgerEntry[] {
  const { turnId, step } = row;
  return (JSON.parse(row.runs) as PackedRun[]).map((packed) => ({
    threadId,
    turnId,
    step,
    ...unpack(packed),
  }));
}

function pack(entry: LedgerEntry): PackedRun {
  const { hook, id, source, outcome, ms, sizeBefore, sizeAfter, at, code = null, why = null } = entry;
  const packed: PackedRun = [
    hook,
    id,
    source,
    outcome,
    entry.changed ? 1 : 0,
    ms,
    sizeBefore,
    sizeAfter,
    at,
    code,
    why,
  ];
  const known = ownFields + (code === null ? 0 : 1) + (why === null ? 0 : 1);
  if (Object.keys(entry).length > known) packed.push(others(entry));
  return packed;
}

/** How many fields an entry has without `code` and `why`. */
const ownFields = 12;

function others(entry: LedgerEntry): Record<string, unknown> {
  const {
    threadId,
    turnId,
    step,
    hook,
    id,
    source,
    outcome,
    changed,
    ms,
    sizeBefore,
    sizeAfter,
    at,
    code,
    why,
    ...more
  } = entry;
  return more;
}

function unpack(packed: PackedRun): Omit<LedgerEntry, 'threadId' | 'turnId' | 'step'> {
  const [hook, id, source, outcome, changed, ms, sizeBefore, sizeAfter, at, code, why, more] = packed;
  const run = { hook, id, source, outcome, changed: changed === 1, ms, sizeBefore, sizeAfter, at, ...more };
  return { ...run, ...(code !== null && { code }), ...(why !== null && { why }) } as LedgerEntry;
}
