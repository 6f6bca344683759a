import { RunError } from '@spec/hooks';
import { isCount } from '../definitions/compaction.ts';
import { checkOptions } from '../given.ts';
import type { ThreadCore } from '../thread/core.ts';
import { flushRuns } from '../writes/commit.ts';
import { admitMessages } from '../writes/messages.ts';
import { type CompactionResult, type CompactOptions, compact, findCompaction } from './compact.ts';

/**
 * Compacts a thread between two turns, after those that were sent before.
 *
 * @throws {RunError} `invalid_input` for bad options; `thread_busy`, `thread_terminated`; as the model and blocking hooks do
 */
export function compactThread(core: ThreadCore, asked: CompactOptions = {}): Promise<CompactionResult> {
  core.refuseMessages();
  checkOptions('a compaction', asked, { trigger: true, instructions: true, keepTokens: true });
  checkValues(asked);
  return core.turns.enter({ id: crypto.randomUUID(), isNamed: false }, async (flow) => {
    const letGo = core.lease.hold();
    try {
      await admitMessages(core);
      flow.pin(await core.lease.held());
      await core.turns.finishLeftBehind();
      const view = core.state.in(flow);
      const { prompt, options = {} } = findCompaction(view);
      return await compact(view, { ...asked, prompt, options, inTurn: false });
    } finally {
      await flushRuns(core)?.catch(() => {}); // They wait for the next commit.
      letGo();
    }
  });
}

function checkValues({ trigger, instructions, keepTokens }: CompactOptions): void {
  const isKnown = trigger === undefined || trigger === 'manual' || trigger === 'auto';
  const isText = instructions === undefined || typeof instructions === 'string';
  if (isKnown && isText && isCount(keepTokens, 0)) return;
  throw new RunError(
    'invalid_input',
    'compact takes { trigger: "manual" | "auto", instructions: a text, keepTokens: a whole number of at least 0 }, each of them optional.',
  );
}
