import { findKeeper, type KeyedValue, RunError } from '@spec/hooks';
import { checkFields, checkName, checkText } from '../given.ts';
import type { ThreadView } from '../thread/core.ts';
import { stopBelow } from '../thread/family.ts';
import { ToolPermit } from '../thread/permit.ts';
import { commit, underFence } from './commit.ts';
import { textToKeepIfAllowed } from './kept-text.ts';

/** Keys that the runtime itself keeps with a thread, so that no hook or tool can loosen a permission mode. */
const RESERVED = 'runtime/';

/**
 * Keeps a JSON value with the thread; `undefined` removes it.
 *
 * @throws {RunError} `invalid_input` for a value that is not JSON, for a key of the runtime, and in a tool for one that a hook keeps
 */
export function setValue(view: ThreadView, key: string, value: unknown): Promise<void> {
  const { core } = view;
  checkKey(key, view);
  return underFence(view, 'setValue', (fence) => core.store.setValue(core.id, fence, { key, value }));
}

/**
 * Keeps JSON values with the thread if one of them is still as it was read. If two processes do so at once, one of them is told
 * that it came too late, and nothing of it is kept.
 *
 * @throws {RunError} `invalid_input` as {@link setValue} does
 */
export async function setValuesIf(
  view: ThreadView,
  expected: KeyedValue,
  values: readonly KeyedValue[],
): Promise<boolean> {
  const { core } = view;
  checkFields('The expected value', expected, 'invalid_input');
  if (!Array.isArray(values)) throw new RunError('invalid_input', 'The values to set must be a list.');
  for (const one of values) checkFields('A value to set', one, 'invalid_input');
  for (const { key } of [expected, ...values]) checkKey(key, view);
  core.refuseClosed();
  return core.store.setValuesIf(core.id, expected, values);
}

/** @throws {RunError} `invalid_input` */
function checkKey(key: unknown, { permit, core: { id: threadId, scope } }: ThreadView): void {
  checkName('key of a value', key);
  if (key.startsWith(RESERVED)) {
    const message = `Keys that begin with "${RESERVED}" are the runtime's own: choose another one.`;
    throw new RunError('invalid_input', message, { threadId });
  }
  if (!(permit instanceof ToolPermit)) return;
  const { id, keeps = [] } = findKeeper(scope, key) ?? {};
  if (id === undefined) return;
  const kept = keeps.map((name) => `"${name}"`).join(', ');
  const message = `A tool may not set what the hook "${id}" keeps with the thread (${kept}). Begin the names of the tool's own values otherwise, such as with "notes/".`;
  throw new RunError('invalid_input', message, { threadId });
}

/** Ends the thread for good. The running turn, and those of subagents, store what they have begun and end after their step. */
export async function terminate(view: ThreadView, reason: string): Promise<void> {
  const { core } = view;
  checkText('reason for which a thread ends', reason);
  const terminated = (await textToKeepIfAllowed(view, reason, { name: 'terminated' })) || 'terminated';
  await commit(view, 'terminate', { thread: { terminated } });
  core.record.terminated = terminated;
  core.flow.stop();
  stopBelow(core);
}
