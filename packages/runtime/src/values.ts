import { RunError } from '@spec/hooks';
import { commit, underFence } from './commit.ts';
import { checkName } from './given.ts';
import { textToKeepIfAllowed } from './kept-text.ts';
import type { ThreadView } from './thread-view.ts';

/** What the runtime itself keeps with a thread: no hook and no tool can loosen a permission mode by it. */
const RESERVED = 'runtime/';

/**
 * Keeps a JSON value with the thread; `undefined` removes it.
 *
 * @throws {RunError} `invalid_input` for what is no JSON, and for a key of the runtime's own
 */
export function setValue(view: ThreadView, key: string, value: unknown): Promise<void> {
  const { core } = view;
  checkName('key of a value', key);
  if (key.startsWith(RESERVED)) {
    const message = `Keys that begin with "${RESERVED}" are the runtime's own: choose another one.`;
    throw new RunError('invalid_input', message, { threadId: core.id });
  }
  return underFence(view, 'setValue', (fence) => core.store.setValue(core.id, fence, { key, value }));
}

/** Ends the thread for good. The turn that is running stores what it has begun, and ends after its step. */
export async function terminate(view: ThreadView, reason: string): Promise<void> {
  const { core } = view;
  const terminated = (await textToKeepIfAllowed(view, reason, { name: 'terminated' })) || 'terminated';
  await commit(view, 'terminate', { thread: { terminated } });
  core.record.terminated = terminated;
  core.flow.stop();
}
