import { isAborted } from '../aborted.ts';
import type { TextRelease } from '../model/streaming.ts';
import type { ThreadView } from '../thread/core.ts';
import { announceMessage, passCreateChain, storeMessage } from '../writes/messages.ts';
import { makeConclusion } from './commits.ts';

/**
 * Runs what brings an answer. Where the turn is stopped meanwhile, what listeners have seen of the answer is stored as the answer, after the
 * create chain and marked `metadata: { stopped: true }`: the page that is opened again shows what it showed.
 */
export async function keepingWhatWasShown<T>(
  view: ThreadView,
  text: Pick<TextRelease, 'released'>,
  run: () => Promise<T> | T,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (view.flow.isAborted && isAborted(error) && text.released !== '')
      await storeShown(view, text.released).catch(() => {}); // The stop is what the caller must see; a hook that refuses the text is in the ledger.
    throw error;
  }
}

/** It is the turn's last commit: a process that dies before it leaves no half of an answer for a whole one. */
async function storeShown(view: ThreadView, content: string): Promise<void> {
  const live = view.afterAbort();
  const message = await live.step('answer.shown', (at) =>
    passCreateChain(
      at,
      { role: 'assistant', content, metadata: { stopped: true } },
      view.flow.idOf('answer'),
    ),
  );
  const along = makeConclusion(view, { status: 'aborted', text: null });
  await live.step('answer.store', (at) => storeMessage(at, message, along));
  view.flow.isConcluded = true;
  await announceMessage(live, message, 'answer');
}
