import {
  compileMatcher,
  digestText,
  type MatchEnvironment,
  recordEntry,
  type ThreadState,
  type ToolCallView,
} from '@spec/hooks';
import { formatSystemHook } from './format.ts';
import type { MessagePlace, OnceKey, ThreadMemory } from './memory.ts';
import type { AnyTrigger, BatchOccasion, Occasions, ResultOccasion, TriggerKind } from './trigger.ts';

/** A trigger with its matcher compiled. */
export interface CompiledTrigger {
  readonly trigger: AnyTrigger;
  /** Whether it is for a call; `undefined`: it is for each. */
  readonly isFor: ((call: ToolCallView) => boolean) | undefined;
}

/** @throws {DefinitionError} `bad_matcher` */
export function compileTrigger(
  trigger: AnyTrigger,
  environment: MatchEnvironment | undefined,
): CompiledTrigger {
  if (trigger.match === undefined) return { trigger, isFor: undefined };
  const matcher = compileMatcher(trigger.match);
  return { trigger, isFor: (call) => matcher.test(call, environment) };
}

/** The texts of one message. */
export interface Collected {
  readonly texts: string[];
  /** Keys of the texts collected for this message. */
  readonly keys: Set<string>;
  /** Those of them that are told once. */
  readonly once: OnceKey[];
  readonly place: MessagePlace;
  /** Remaining characters. */
  room: number;
}

/** The input of a firing. */
export interface Firing<K extends TriggerKind = TriggerKind> {
  readonly occasion: Occasions[K];
  readonly state: ThreadState;
  readonly memory: ThreadMemory;
}

/**
 * Fires one trigger if it holds: formats and collects its text, once for each key.
 *
 * F1 A trigger that fails adds no text and does not stop others. Its record says so, without its error's text (C9).
 * F2 A text with `once` is remembered when all of its message are collected, so that a trigger that never ends costs no text. A text that no
 *    longer fits into the message is neither.
 */
export async function fire(
  { trigger, isFor }: CompiledTrigger,
  firing: Firing,
  collected: Collected,
): Promise<void> {
  const startedAt = performance.now();
  const tell = (run: Omit<FiredRun, 'ms'>): void =>
    record(firing.state, trigger.id, { ...run, ms: performance.now() - startedAt });
  try {
    if (!wants(isFor, firing)) return;
    const text = await makeText(trigger as AnyFiringTrigger, firing);
    if (text === null) return;
    const key = await makeKey(trigger as AnyFiringTrigger, firing, text);
    const block = formatSystemHook(text);
    if (!(await isNew(trigger, firing, { key, collected, block }))) return;
    if (block.length > collected.room) return tell({ outcome: 'skipped', size: 0, why: NO_ROOM });
    if (trigger.once !== undefined) collected.once.push({ key, once: trigger.once });
    collected.keys.add(key);
    collected.room -= block.length;
    collected.texts.push(block);
    tell({ outcome: 'ok', size: text.length });
  } catch {
    tell({ outcome: 'failed', size: 0, why: 'the trigger threw an error; it adds nothing' });
  }
}

const NO_ROOM = 'its text does not fit into the budget of the message';

/** The functions of a trigger of any kind. Each is called only with an occasion of that kind. */
interface AnyFiringTrigger {
  readonly id: string;
  readonly once?: 'turn' | 'thread';
  readonly message: string | ((occasion: unknown, state: ThreadState) => unknown);
  when?(occasion: unknown, state: ThreadState): unknown;
  key?(occasion: unknown, state: ThreadState): unknown;
}

function wants(isFor: CompiledTrigger['isFor'], { occasion }: Firing): boolean {
  if (isFor === undefined) return true;
  const uses = 'use' in occasion ? [(occasion as ResultOccasion).use] : (occasion as BatchOccasion).batch;
  return uses.some(({ name, input }) => isFor({ name, input }));
}

async function makeText(trigger: AnyFiringTrigger, { occasion, state }: Firing): Promise<string | null> {
  const { message } = trigger;
  if (trigger.when !== undefined && (await trigger.when(occasion, state)) !== true) return null;
  const text = typeof message === 'string' ? message : await message(occasion, state);
  if (text === null || text === undefined || text === '') return null;
  if (typeof text !== 'string') throw new TypeError('a message must be a text or null');
  return text;
}

/** What makes two firings the same. A key of the author's may be text of a tool: the thread keeps its digest, which says nothing and is short. */
async function makeKey(
  trigger: AnyFiringTrigger,
  { occasion, state }: Firing,
  text: string,
): Promise<string> {
  const { id, once } = trigger;
  if (trigger.key === undefined) return JSON.stringify([id, once === undefined ? text : '']);
  return JSON.stringify([id, await digestText(String(await trigger.key(occasion, state)))]);
}

async function isNew(
  { once }: Pick<AnyFiringTrigger, 'once'>,
  { state, memory }: Firing,
  { key, collected, block }: { key: string; collected: Collected; block: string },
): Promise<boolean> {
  if (collected.keys.has(key)) return false;
  const { place } = collected;
  return once === undefined || memory.isNew(state, { key, once }, { place, text: block });
}

interface FiredRun {
  readonly outcome: 'ok' | 'failed' | 'skipped';
  readonly size: number;
  readonly ms: number;
  readonly why?: string;
}

/** Records a firing beside the hook that it belongs to. */
function record(state: ThreadState, id: string, { outcome, size, ms, why }: FiredRun): void {
  recordEntry(state, {
    id,
    outcome,
    ms,
    changed: false,
    sizeBefore: 0,
    sizeAfter: size,
    ...(why === undefined ? {} : { why }),
  });
}
