import type { TurnMark } from '@spec/hooks';
import { pickOtherFields } from '../run-fields.ts';
import type { LedgerEntry } from '../store.ts';
import { readColumn } from './damaged.ts';
import { packMarks, type RowMark, unpackMarks } from './packed-marks.ts';
import { type PackedSubject, SubjectPacker, SubjectReader } from './row-subjects.ts';

// Most bytes that a turn leaves on disk are in the ledger, so a run is packed into about 70 bytes of JSON text.
// P1: a row is `[3, run, run, …]`; a run is a list without the nulls and zeros at its end.
// P2: times and steps after the first run's are stored as differences from it; a source equal to the one before as 0.
// P3: frequent names have short forms that never change; all other names are stored in full.
// P4: the subject of a run is a text where a row names it first, see row-subjects.ts.
// P5: marks of the same turn come before the runs, see packed-marks.ts: `[4, [mark, …], run, …]`. Without marks, version 3 is written.
// P6: older rows can still be read: `[2, run, …]` without P4, and `[run, …]`, the first version, without P1 to P5.

/** A run in its row; `step` is relative to the first run's. */
export type RowRun = Omit<LedgerEntry, 'threadId' | 'turnId'>;

type PackedRun = [hook: string, id: string, source: string | 0, about: PackedSubject, ...RestOfPackedRun];

type RestOfPackedRun = [
  outcome: string,
  changed: 0 | 1,
  ms: number,
  sizeBefore: number,
  sizeAfter: number,
  at: number,
  step?: number,
  code?: string | null,
  why?: string | null,
  more?: Record<string, unknown> | null,
];

/** Without its subject. */
type SecondPackedRun = [hook: string, id: string, source: string | 0, ...RestOfPackedRun];

type FirstPackedRun = [
  ...run: [string, string, string, string, 0 | 1, number, number, number, number],
  code: string | null,
  why: string | null,
  more?: Record<string, unknown>,
];

const packedVersion = 3;
const versionWithMarks = 4;
const versionWithoutSubjects = 2;

const shortForms: ReadonlyMap<string, string> = new Map([
  ['before_create_message', 'bcm'],
  ['after_create_message', 'acm'],
  ['before_store_tool_result', 'bstr'],
  ['after_tool_call_success', 'atcs'],
  ['after_tool_call_failure', 'atcf'],
  ['before_tool_call', 'btc'],
  ['after_tool_batch', 'atb'],
  ['filter_messages', 'fm'],
  ['prefilter_llm_history', 'plh'],
  ['after_system_message', 'asm'],
  ['before_user_message', 'bum'],
  ['changed', 'c'],
  ['skipped', 's'],
]);
const fullForms = new Map([...shortForms].map(([full, short]) => [short, full]));

/** Whether a run can be stored as a difference from another. */
export function isTellable(run: RowRun, first: RowRun): boolean {
  return Number.isSafeInteger(run.at - first.at) && Number.isSafeInteger(run.step - first.step);
}

/** The forms of a name in a row. */
export function listForms(name: string | undefined): string[] | undefined {
  if (name === undefined) return undefined;
  const short = shortForms.get(name);
  return short === undefined ? [name] : [name, short];
}

/** The content of a row; all of it belongs to one turn. */
export interface RowContent {
  readonly turnId: string | null;
  readonly runs: readonly LedgerEntry[];
  readonly marks: readonly TurnMark[];
}

/** The first item of a row with marks. */
export const BEGINS_WITH_MARKS: string = `[${versionWithMarks},`;

const BEGINS_PLAIN = `[${packedVersion},`;
/** Items of a run without fields of its own. */
const longestPlain = 13;

/** The JSON text of runs and marks in a row of this step. */
export function packRow({ turnId, runs, marks }: RowContent, step: number): string {
  const packed = packRuns(turnId, runs, step);
  if (marks.length === 0) return JSON.stringify([packedVersion, ...packed]);
  return JSON.stringify([versionWithMarks, packMarks(marks, { turnId, step }), ...packed]);
}

function packRuns(turnId: string | null, runs: readonly LedgerEntry[], step: number): PackedRun[] {
  const at = runs[0]?.at ?? 0;
  const subjects = new SubjectPacker(turnId);
  return runs.map((run, index) => {
    const before = index === 0 ? undefined : runs[index - 1];
    return trimmed([
      shortForms.get(run.hook) ?? run.hook,
      run.id,
      run.source === before?.source ? 0 : run.source,
      subjects.pack(run.about),
      shortForms.get(run.outcome) ?? run.outcome,
      run.changed ? 1 : 0,
      run.ms,
      run.sizeBefore,
      run.sizeAfter,
      index === 0 ? at : run.at - at,
      run.step - step,
      run.code ?? null,
      run.why ?? null,
      pickOtherFields(run),
    ]);
  });
}

/** The runs in a JSON text from a row of this turn. @throws RunError `store_unreadable` */
export function unpackRuns(text: string, turnId: string | null): RowRun[] {
  return readColumn({ table: 'hook_runs', row: 'a row', column: 'runs' }, () => unpack(text, turnId));
}

/** The marks in a JSON text from a row of this turn. @throws RunError `store_unreadable` */
export function unpackRowMarks(text: string, turnId: string | null): RowMark[] {
  if (!text.startsWith(BEGINS_WITH_MARKS)) return [];
  return readColumn({ table: 'hook_runs', row: 'a row', column: 'runs' }, () =>
    unpackMarks((JSON.parse(text) as unknown[])[1], turnId),
  );
}

function unpack(text: string, turnId: string | null): RowRun[] {
  const [version, ...rows] = JSON.parse(text) as [number, ...unknown[]];
  if (version === versionWithMarks) return unpackAll(rows.slice(1) as PackedRun[], turnId);
  if (version === packedVersion) return unpackAll(rows as PackedRun[], turnId);
  if (version === versionWithoutSubjects)
    return unpackAll((rows as SecondPackedRun[]).map(withoutSubject), turnId);
  return (JSON.parse(text) as FirstPackedRun[]).map(unpackFirst);
}

/** A run as far as sums need it. */
export type RunForSums = Pick<RowRun, 'hook' | 'id' | 'source' | 'outcome' | 'changed' | 'ms' | 'at'>;

/**
 * The runs in a JSON text without what sums do not need: a fifth of the work of {@link unpackRuns}. `undefined` where a row is of an older
 * version, damaged, or has runs with fields of their own.
 */
export function unpackForSums(text: string): RunForSums[] | undefined {
  const start = text.startsWith(BEGINS_WITH_MARKS) ? 2 : text.startsWith(BEGINS_PLAIN) ? 1 : undefined;
  const row = start === undefined ? undefined : parseRow(text);
  if (start === undefined || row === undefined) return undefined;
  const runs: RunForSums[] = [];
  let source: unknown;
  for (let i = start; i < row.length; i++) {
    const packed = row[i] as PackedRun;
    if (!Array.isArray(packed) || packed.length > longestPlain) return undefined;
    // Items by their numbers: to take lists apart costs more than to parse them.
    if (packed[2] !== 0) source = packed[2];
    const time = runs.length === 0 ? packed[9] : (row[start] as PackedRun)[9] + packed[9];
    const run = makeRunForSums(packed, source, time);
    if (run === undefined) return undefined;
    runs.push(run);
  }
  return runs;
}

function makeRunForSums(packed: PackedRun, source: unknown, at: unknown): RunForSums | undefined {
  const id: unknown = packed[1];
  const ms: unknown = packed[6];
  const isNamed = typeof packed[0] === 'string' && typeof id === 'string' && typeof source === 'string';
  if (!isNamed || typeof packed[4] !== 'string' || typeof ms !== 'number' || typeof at !== 'number')
    return undefined;
  const hook = fullForms.get(packed[0]) ?? packed[0];
  const outcome = (fullForms.get(packed[4]) ?? packed[4]) as RunForSums['outcome'];
  return { hook, id, source, outcome, changed: packed[5] === 1, ms, at };
}

function parseRow(text: string): unknown[] | undefined {
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    return undefined;
  }
}

function withoutSubject([hook, id, source, ...rest]: SecondPackedRun): PackedRun {
  return [hook, id, source, 0, ...rest];
}

function unpackAll(packed: readonly PackedRun[], turnId: string | null): RowRun[] {
  const subjects = new SubjectReader(turnId);
  let source = '';
  return packed.map((run, index) => {
    const [hook, id, own, subject, outcome, changed, ms, sizeBefore, sizeAfter, at, step = 0, ...rest] = run;
    const [code, why, more] = rest;
    if (own !== 0) source = own;
    const about = subjects.read(subject);
    const time = index === 0 ? at : (packed[0]?.[9] ?? 0) + at;
    const names = {
      hook: fullForms.get(hook) ?? hook,
      id,
      source,
      ...(about && { about }),
      outcome: fullForms.get(outcome) ?? outcome,
    };
    const figures = { changed: changed === 1, ms, sizeBefore, sizeAfter, at: time, step };
    return withMore({ ...names, ...figures }, { code, why, more });
  });
}

function unpackFirst(packed: FirstPackedRun): RowRun {
  const [hook, id, source, outcome, changed, ms, sizeBefore, sizeAfter, at, code, why, more] = packed;
  const run = { hook, id, source, outcome, changed: changed === 1, ms, sizeBefore, sizeAfter, at, step: 0 };
  return withMore(run, { code, why, more });
}

/** @throws if a run is invalid: readers of the ledger need the fields that they count and compare */
function withMore(run: object, { code, why, more }: Record<'code' | 'why' | 'more', unknown>): RowRun {
  const whole = {
    ...run,
    ...(more as object),
    ...(code != null && { code }),
    ...(why != null && { why }),
  } as RowRun;
  const { hook, id, source, outcome, ms, sizeBefore, sizeAfter, at, step } = whole;
  const isWhole =
    [hook, id, source, outcome].every((text) => typeof text === 'string') &&
    [ms, sizeBefore, sizeAfter, at, step].every((figure) => typeof figure === 'number');
  if (!isWhole) throw new TypeError('no run');
  return whole;
}

function trimmed(packed: PackedRun): PackedRun {
  while (packed.length > 10 && !packed.at(-1)) packed.pop();
  return packed;
}
