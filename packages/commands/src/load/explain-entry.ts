import { DefinitionError, type ThreadState } from '@spec/hooks';
import { type EntryResult, failed, refusedOrSkipped } from '../members/entry-run.ts';
import { eventRow } from '../members/events.ts';
import { occasionOf } from '../members/occasion.ts';
import { type CommandOptions, surroundingsOf } from '../members/options.ts';
import { failureOf } from '../members/run-handler.ts';
import { type WhyNot, whyNot } from '../members/why-not.ts';
import type { CommandEntry, Dialect, EntryAnswer, Strategy } from '../normal-form.ts';
import { refusals, type Trust } from '../trust/trust.ts';
import { compileEntry } from './compile-entry.ts';
import { dialectNamed } from './dialects.ts';

/** One firing of an entry's own event. */
export interface EntryFiring extends Pick<CommandOptions, 'projectDir' | 'sandboxDir' | 'permissionMode'> {
  readonly state: ThreadState;
  /** What the hook gets after the state. */
  readonly args: readonly unknown[];
  /** Whether its file is trusted, as the file's report has it. Default: it is. */
  readonly trust?: Trust['status'] | undefined;
  /** What keeps its command from being started, where who asks has looked. */
  readonly launch?: 'not_found' | 'not_executable' | undefined;
}

/** What an entry would do, as far as that is certain without running it. */
export interface EntryOutlook {
  /** `null`: where the command that is its condition says so. */
  readonly runs: boolean | null;
  /** The clause that keeps it from running, or has it fail: names of tools, fields and patterns, never values. */
  readonly why?: string | undefined;
  /** Its answer, also where it does not run; none where only running it would tell. */
  readonly answer?: EntryAnswer | undefined;
  /** It is for the occasion, and its file is not trusted. */
  readonly isRefused?: true;
  /** How its file runs the entries of its event. */
  readonly strategy: Strategy;
}

/**
 * What an entry would do, without running anything. An entry whose file is not trusted denies what it guards, and one that cannot be
 * tested or started does what its settings say of that.
 *
 * @throws {DefinitionError} as its dialect refuses the entry
 */
export async function explainEntry(
  entry: CommandEntry,
  { state, args, trust, launch, ...options }: EntryFiring,
): Promise<EntryOutlook> {
  const { event, eventName } = entry;
  const row = eventRow(event);
  if (row === undefined)
    throw new DefinitionError(
      'bad_definition',
      `The entry "${entry.id}" is for ${event}, in which no command can run.`,
    );
  const occasion = await occasionOf(
    { event, state, ...surroundingsOf(options) },
    await row.details(args, state),
  );
  const why = whyNot(compileEntry(entry), occasion);
  const dialect = dialectNamed(entry.dialect);
  const strategy = dialect?.strategy(eventName) ?? 'parallel';
  const outlook = foretold(entry, why, { dialect, trust, launch });
  // Nobody hears what an entry says that is not waited for.
  return { ...outlook, ...(entry.isAwaited ? {} : { answer: {} }), strategy };
}

type Foretold = Omit<EntryOutlook, 'strategy'>;

type Known = Pick<EntryFiring, 'trust' | 'launch'> & { readonly dialect: Dialect | undefined };

function foretold(entry: CommandEntry, why: WhyNot, { dialect, trust, launch }: Known): Foretold {
  const { condition, timeoutMs } = entry;
  if (typeof why === 'string') return { runs: false, why, answer: {} };
  if (trust === 'unknown' || trust === 'changed')
    return { ...certain(refusedOrSkipped(entry, refusals[trust]), false), isRefused: true };
  if (why !== undefined) return certain(failed(entry, why), false);
  const runs = condition !== undefined && dialect?.conditionIsCommand === true ? null : true;
  if (launch !== undefined && runs === true)
    return certain(failed(entry, failureOf({ outcome: launch }, timeoutMs)), true);
  return { runs };
}

function certain({ answer = {}, run: { why } }: EntryResult, runs: boolean): Foretold {
  return { runs, why, answer };
}
