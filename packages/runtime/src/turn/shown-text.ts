import type { NewMessage } from '@spec/hooks';
import { isAborted } from '../aborted.ts';
import type { ReasoningRelease } from '../model/reasoning-release.ts';
import type { TextRelease } from '../model/streaming.ts';
import type { ThreadView } from '../thread/core.ts';
import { announceMessage, passCreateChain, storeMessage } from '../writes/messages.ts';
import { makeConclusion } from './commits.ts';

/** What listeners have seen of an answer that is on its way. */
export interface Shown {
  readonly text: Pick<TextRelease, 'released'>;
  readonly reasoning: Pick<ReasoningRelease, 'released'>;
}

/**
 * Runs what brings an answer. Where the turn is stopped meanwhile, what listeners have seen of the answer is stored as the answer, after the
 * create chain and marked `metadata: { stopped: true }`: the page that is opened again shows what it showed. Reasoning that was cut off has no
 * signature, so no model gets it back.
 */
export async function keepingWhatWasShown<T>(
  view: ThreadView,
  shown: Shown,
  run: () => Promise<T> | T,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const isShown = shown.text.released !== '' || shown.reasoning.released.size > 0;
    if (view.flow.isAborted && isAborted(error) && isShown)
      await storeShown(view, toMessage(shown)).catch(() => {}); // The stop is what the caller must see; a hook that refuses the text is in the ledger.
    throw error;
  }
}

function toMessage({ text, reasoning }: Shown): NewMessage {
  const parts = Array.from(reasoning.released, ([id, said]) => ({ id, text: said }));
  return {
    role: 'assistant',
    content: text.released === '' ? null : text.released,
    ...(parts.length === 0 ? {} : { reasoning: parts }),
    metadata: { stopped: true },
  };
}

/** It is the turn's last commit: a process that dies before it leaves no half of an answer for a whole one. */
async function storeShown(view: ThreadView, shown: NewMessage): Promise<void> {
  const live = view.afterAbort();
  const message = await live.step('answer.shown', (at) =>
    passCreateChain(at, shown, view.flow.idOf('answer')),
  );
  const along = makeConclusion(view, { status: 'aborted', text: null });
  await live.step('answer.store', (at) => storeMessage(at, message, along));
  view.flow.isConcluded = true;
  await announceMessage(live, message, 'answer');
}
