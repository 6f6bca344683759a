import { recordEntry } from '@spec/hooks';
import { refusedOrSkipped, skipped } from './entry-run.ts';
import type { EntryOpinion } from './merged.ts';
import type { EntryGroup } from './strategies.ts';
import { whyNots } from './why-not.ts';

/**
 * What becomes of entries that must not run: those that guard something deny it, as a guard that is gone would let
 * everything pass; the others are passed over.
 *
 * @param why why they must not run, as the end of a sentence about their file
 */
export function refuseAll(why: string, { entries, occasion, context }: EntryGroup): EntryOpinion[] {
  const verdicts = whyNots(entries, occasion);
  return entries.flatMap((compiled) => {
    const { entry } = compiled;
    const mismatch = verdicts.get(compiled);
    const result = typeof mismatch === 'string' ? skipped(entry, mismatch) : refusedOrSkipped(entry, why);
    recordEntry(context.state, result.run);
    return result.answer === undefined ? [] : [{ entry, answer: result.answer }];
  });
}
