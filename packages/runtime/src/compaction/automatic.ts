import { findRunCode, isAborted } from '../aborted.ts';
import { tokensToKeep } from '../definitions/compaction.ts';
import { countTokens } from '../history/tokens.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { storedAt } from '../writes/messages.ts';
import { compact, findCompaction } from './compact.ts';

/** After a compaction that failed or was refused the history has to grow by a tenth before the next one is tried. */
const GROWTH = 1.1;

/** A part of less than a tenth of the budget is not worth a summary: the newest exchange alone may be over it. */
const LEAST_PART = 0.1;

/** The tokens at which the next compaction of a thread is tried, where one failed or was refused. */
const notBefore = new WeakMap<ThreadCore, number>();

/** Whether the prompt of the next step has a budget at all. */
export function isCompacted(view: ThreadView): boolean {
  return findCompaction(view).options?.atTokens !== undefined;
}

/**
 * Compacts before a step where the history has reached the budget of its prompt. A compaction that fails or is refused changes
 * nothing: the step goes on with the whole history, and events and the ledger tell of it.
 *
 * @throws {RunError} what the compaction failed with, where the history has more than `maxTokens`; `aborted`
 */
export async function compactWhenDue(view: ThreadView): Promise<void> {
  const { core } = view;
  const { prompt, options } = findCompaction(view);
  if (options?.atTokens === undefined || (await storedAt(view, 'summary')) !== undefined) return;
  const { estimate, total: tokens } = await countTokens(core);
  const { atTokens, maxTokens = Number.POSITIVE_INFINITY } = options;
  if (tokens < atTokens || (tokens <= maxTokens && tokens < (notBefore.get(core) ?? 0))) return;
  const waitForGrowth = (): unknown => notBefore.set(core, tokens * GROWTH);
  try {
    const leastTokens = atTokens * LEAST_PART;
    const keepTokens = tokensToKeep(options) * Math.min(1, estimate / tokens); // In tokens as the estimate has them.
    const { status } = await compact(view, {
      prompt,
      options,
      trigger: 'auto',
      inTurn: true,
      leastTokens,
      keepTokens,
    });
    if (status === 'denied') waitForGrowth();
    else notBefore.delete(core);
  } catch (error) {
    if (isAborted(error) && view.flow.isAborted) throw error;
    waitForGrowth();
    const code = findRunCode(error) ?? 'unexpected';
    core.events.emit({ type: 'compaction_failed', trigger: 'auto', code });
    if (tokens > maxTokens) throw error;
  }
}
