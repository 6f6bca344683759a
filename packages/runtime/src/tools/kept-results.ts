import { isRecord } from '@spec/hooks';
import { areTexts, isStoredMessage, readKept } from '../stores/kept-value.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { commit } from '../writes/commit.ts';

/**
 * Results are stored in call order (design §7.1). One that is ready while an earlier call still runs, or waits for a person, is kept
 * with the thread until its turn: a crash does not make it unknown whether its call ran.
 */

/** A result as it will be stored, and what hooks have for the conversation, as it may be kept. */
export interface KeptResult {
  readonly message: StoredMessage;
  readonly contexts: readonly string[];
}

/** A kept result in the thread's values: earlier releases wrote it, and later ones read it. */
interface StoredForm {
  readonly message: StoredMessage;
  readonly told: readonly string[];
}

/** How long a result waits for earlier ones before it is kept, in milliseconds. Calls that end together need no extra commit. */
const PATIENCE_MS = 100;

/** Whether something settles before a result has to be kept. */
export function settlesSoon(before: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), PATIENCE_MS);
    void before.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** Under which a result is kept; setting it to `undefined` goes along with storing the result. */
export function resultKey({ flow }: ThreadView, name: string): string {
  return `runtime/results/${flow.idOf(name)}`;
}

/** The result of a place that was kept when the turn's process died, or that this process could not store. */
export async function findKept(view: ThreadView, name: string): Promise<KeptResult | undefined> {
  const { core, flow } = view;
  const unstored = core.batch?.unstored.get(flow.idOf(name));
  if (unstored !== undefined) return unstored;
  const kept = await readKept(core.store, { threadId: core.id, key: resultKey(view, name) }, isStoredForm);
  return kept && { message: kept.message, contexts: kept.told };
}

function isStoredForm(value: unknown): value is StoredForm {
  return isRecord(value) && isStoredMessage(value.message) && areTexts(value.told);
}

/** Keeps a result in memory, until its turn goes on here or ends. */
export function keepUnstored(
  { core, flow }: ThreadView,
  name: string,
  { message, contexts }: KeptResult,
): void {
  core.batch?.unstored.set(flow.idOf(name), { message, contexts });
}

/** Keeps a result. @returns whether it is kept; if not, storing it fails too and says why. */
export function keepResult(
  view: ThreadView,
  name: string,
  { message, contexts }: KeptResult,
): Promise<boolean> {
  const value: StoredForm = { message, told: contexts };
  const values = [{ key: resultKey(view, name), value }];
  return commit(view, 'keepResult', { values }).then(
    () => true,
    () => false,
  );
}
