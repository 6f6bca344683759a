import { recordEntry } from '@spec/hooks';
import { refused, skipped } from './entry-run.ts';
import { guards } from './guards.ts';
import type { EntryOpinion } from './merged.ts';
import type { EntryGroup } from './strategies.ts';
import { whyNot } from './why-not.ts';

/**
 * What becomes of entries that must not run: those that guard a tool or a prompt deny it, as a guard that is gone would let
 * everything pass; the others are passed over.
 *
 * @param why why they must not run, as the end of a sentence about their file
 */
export function refuseAll(why: string, { entries, occasion, context }: EntryGroup): EntryOpinion[] {
  return entries.flatMap((compiled) => {
    const { entry } = compiled;
    const mismatch = whyNot(compiled, occasion);
    const isGuard = mismatch === undefined && guards(entry);
    const result = isGuard
      ? refused(entry, why)
      : skipped(entry, mismatch ?? `its file does not run: ${why}`);
    recordEntry(context.state, result.run);
    return result.answer === undefined ? [] : [{ entry, answer: result.answer }];
  });
}
