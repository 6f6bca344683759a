import { RunError, type ThreadState } from '@spec/hooks';
import type { KeptCounters, KeptMarks, ThreadMemory } from './memory.ts';
import type { Seal } from './seal.ts';
import { createVault, type KeptValue, type Vault } from './vault.ts';

/**
 * What is kept with a thread: the counters under the key itself; under `…_marks` keyed hashes of the values, where the operator
 * gives a key for them; under `…_values_0`, `…_values_1` … the values, encrypted, where the operator gives a key for those.
 */
export interface KeptPlace {
  readonly state: ThreadState;
  readonly valueKey: string;
}

/** @throws {RunError} `hook_failed` where something else is kept under the key */
export async function keptCounters({ state, valueKey }: KeptPlace): Promise<KeptCounters | undefined> {
  const value = await state.getValue(valueKey);
  if (value === undefined || value === null) return undefined;
  if (isRecord(value) && typeof value.writer === 'string' && isCounters(value.counters))
    return value as never;
  throw notOurs(valueKey);
}

/** @throws {RunError} `hook_failed` where something else is kept under the key */
export async function keptMarks({ state, valueKey }: KeptPlace): Promise<KeptMarks | undefined> {
  const marks = await state.getValue(marksKey(valueKey));
  if (marks === undefined || marks === null) return undefined;
  if (isRecord(marks) && Object.values(marks).every(isCounters)) return marks as KeptMarks;
  throw notOurs(marksKey(valueKey));
}

/** The marks go before the counters: counters without marks are what a thread without a key has, marks without counters would lie. */
export async function keepMarks({ state, valueKey }: KeptPlace, memory: ThreadMemory): Promise<void> {
  await state.setValue(marksKey(valueKey), memory.keptMarks());
}

/** Numbers are never handed out before this was written: no other value gets them, not even after a crash. */
export async function keepCounters({ state, valueKey }: KeptPlace, memory: ThreadMemory): Promise<void> {
  await state.setValue(valueKey, memory.keptCounters());
}

/**
 * The values of a thread, decrypted. What counters do not know of was on its way when a process died, and was never handed out.
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

/** The values go before the counters: a number that was handed out has its value. */
export async function keepValues({ state, valueKey }: KeptPlace, vault: Vault, seal: Seal): Promise<void> {
  const { blocks } = vault;
  const changed = blocks.takeChanged();
  try {
    for (const block of changed) {
      const key = blockKey(valueKey, block);
      await state.setValue(key, await seal.close(JSON.stringify(blocks.values(block).map(toRow)), key));
    }
  } catch (error) {
    blocks.giveBack(changed);
    throw error;
  }
  if (blocks.first > 0) await state.setValue(blockKey(valueKey, blocks.first - 1), undefined);
}

/** A block that a process died before it wrote. */
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
/** Missing in what older releases kept: where that came from nobody knows. */
const IS_SAID = 4;

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

const marksKey = (valueKey: string): string => `${valueKey}_marks`;
const blockKey = (valueKey: string, block: number): string => `${valueKey}_values_${block}`;

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
