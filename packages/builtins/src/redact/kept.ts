import { isRecord, type KeyedValue, RunError, type ThreadState } from '@spec/hooks';
import type { KeptValue } from './kept-value.ts';
import type { KeptCounters, KeptMarks, ThreadMemory } from './memory.ts';
import type { Seal } from './seal.ts';
import { createVault, type Vault, type VaultBlocks } from './vault.ts';

/**
 * What redact keeps with a thread: the counters under the key itself; under `…_marks` keyed hashes of the values, if the operator
 * gives a key for them; under `…_values_0`, `…_values_1` … the encrypted values, if the operator gives a key for these.
 */
export interface KeptPlace {
  readonly state: ThreadState;
  readonly valueKey: string;
}

/**
 * Reads the counters from the result of `getValue`.
 *
 * @throws {RunError} `hook_failed` if the key holds something else
 */
export function countersIn(value: unknown, valueKey: string): KeptCounters | undefined {
  if (value === undefined || value === null) return undefined;
  if (isKeptCounters(value)) return value;
  throw notOurs(valueKey);
}

/** @throws {RunError} `hook_failed` if the key holds something else */
export async function keptMarks({ state, valueKey }: KeptPlace): Promise<KeptMarks | undefined> {
  const marks = await state.getValue(marksKey(valueKey));
  if (marks === undefined || marks === null) return undefined;
  if (isRecord(marks) && Object.values(marks).every(isCounters)) return marks as KeptMarks;
  throw notOurs(marksKey(valueKey));
}

/**
 * The decrypted values of a thread. A value that the counters do not cover was never handed out: a process died while it kept it.
 *
 * @throws {RunError} `wrong_key`
 */
export async function keptVault(
  { state, valueKey }: KeptPlace,
  counters: KeptCounters | undefined,
  seal: Seal,
): Promise<Vault> {
  const [first, end] = counters?.blocks ?? [0, 0];
  const blocks: KeptValue[][] = [];
  const old: number[] = [];
  for (let block = first; block < end; block++) {
    const key = blockKey(valueKey, block);
    const sealed = await state.getValue(key);
    const { text, isCurrent } = typeof sealed === 'string' ? await seal.open(sealed, key) : EMPTY;
    const values = (JSON.parse(text) as KeptRow[]).map(fromRow);
    blocks.push(values.filter(({ label, number }) => number <= (counters?.counters[label] ?? 0)));
    if (!isCurrent) old.push(block);
  }
  const vault = createVault(first, blocks);
  vault.blocks.giveBack(old);
  return vault;
}

/** The parts of a memory to keep. */
export interface MemoryToKeep {
  readonly memory: ThreadMemory;
  readonly counters: KeptCounters;
  /** Whether the operator gave a key for marks. */
  readonly hasMarks: boolean;
  readonly seal: Seal | undefined;
}

/**
 * Keeps a memory if the counters are still as expected: all of it, or nothing if another process kept its own meanwhile. Numbers are
 * handed out only after that, so no other value gets them, even after a crash.
 *
 * @returns whether it was kept
 */
export async function keepMemory(
  { state, valueKey }: KeptPlace,
  expected: unknown,
  { memory, counters, hasMarks, seal }: MemoryToKeep,
): Promise<boolean> {
  const marks = hasMarks ? [{ key: marksKey(valueKey), value: memory.keptMarks() }] : [];
  const blocks = seal === undefined ? undefined : memory.vault?.blocks;
  const changed = blocks?.takeChanged() ?? [];
  try {
    const values = blocks && seal ? await sealed(blocks, { changed, seal, valueKey }) : [];
    const all = [...values, ...marks, { key: valueKey, value: counters }];
    return await state.setValuesIf({ key: valueKey, value: expected }, all);
  } catch (error) {
    blocks?.giveBack(changed);
    throw error;
  }
}

interface BlocksToSeal {
  readonly changed: readonly number[];
  readonly seal: Seal;
  readonly valueKey: string;
}

/** The present blocks, encrypted. Removes the block that was forgotten last. */
async function sealed(blocks: VaultBlocks, { changed, seal, valueKey }: BlocksToSeal): Promise<KeyedValue[]> {
  const forgotten = blocks.first > 0 ? [{ key: blockKey(valueKey, blocks.first - 1), value: undefined }] : [];
  const texts = changed.map((block) => [
    blockKey(valueKey, block),
    JSON.stringify(blocks.values(block).map(toRow)),
  ]) as [string, string][];
  const closed = await Promise.all(
    texts.map(async ([key, text]) => ({ key, value: await seal.close(text, key) })),
  );
  return [...forgotten, ...closed];
}

/** A process died before it wrote this block. */
const EMPTY = { text: '[]', isCurrent: true };

type KeptRow = readonly [
  label: string,
  number: number,
  text: string,
  values: readonly string[],
  flags: number,
];

const IS_NUMBER = 1;
const IS_OUT = 2;
/** Missing in values from older releases: their origin is unknown. They set 4 also for what came in contexts of hooks. */
const IS_SAID = 8;

function toRow({ label, number, text, values, isNumber, isOut, isSaid }: KeptValue): KeptRow {
  const flags = (isNumber ? IS_NUMBER : 0) | (isOut ? IS_OUT : 0) | (isSaid ? IS_SAID : 0);
  return [label, number, text, values, flags];
}

function fromRow([label, number, text, values, flags]: KeptRow): KeptValue {
  const has = (flag: number): boolean => (flags & flag) > 0;
  return {
    label,
    number,
    text,
    values,
    isNumber: has(IS_NUMBER),
    isOut: has(IS_OUT),
    isSaid: has(IS_SAID),
  };
}

/** All keys of a thread's values that are kept. */
export const listKeys = (valueKey: string): readonly string[] => [
  ...[valueKey, marksKey(valueKey), `${valueKey}_values_*`],
];

const marksKey = (valueKey: string): string => `${valueKey}_marks`;
const blockKey = (valueKey: string, block: number): string => `${valueKey}_values_${block}`;

/** Going on without the counters could give one number to two values. */
function notOurs(valueKey: string): RunError {
  return new RunError(
    'hook_failed',
    `The thread's value "${valueKey}" is not what redact keeps there. Keep other values under other keys, or give redact another id.`,
  );
}

const isKeptCounters = (value: unknown): value is KeptCounters =>
  isRecord(value) && typeof value.writer === 'string' && isCounters(value.counters);

const isCounters = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((count) => Number.isSafeInteger(count));
