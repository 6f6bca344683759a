import { DefinitionError, type ThreadState } from '@spec/hooks';
import { conditionCommand } from '../dialect-traits.ts';
import { isGate } from '../gates.ts';
import type { HandlerFailed } from '../handlers/handler-end.ts';
import { type EntryResult, failed, refusedOrSkipped } from '../members/entry-run.ts';
import { eventRow } from '../members/events.ts';
import { makeOccasion } from '../members/occasion.ts';
import { type CommandOptions, makeSurroundings } from '../members/options.ts';
import { notInvoked } from '../members/run-entry.ts';
import { describeFailure, findObstacle, type PlannedRun } from '../members/run-handler.ts';
import { type WhyNot, whyNot } from '../members/why-not.ts';
import type { CommandEntry, CompiledEntry, EntryAnswer, Occasion, Strategy } from '../normal-form.ts';
import { refusals, type Trust } from '../trust/trust.ts';
import { compileEntry } from './compile-entry.ts';
import { dialectNamed } from './dialects.ts';

/** One firing of an entry's own event. */
export interface EntryFiring
  extends Pick<
    CommandOptions,
    'projectDir' | 'sandboxDir' | 'permissionMode' | 'pass' | 'isolate' | 'allowedHosts'
  > {
  readonly state: ThreadState;
  /** The hook's arguments after the state. */
  readonly args: readonly unknown[];
  /** Whether its file is trusted, as in the file's report. Default: trusted. */
  readonly trust?: Trust['status'] | undefined;
  /** Why its command cannot be started, if the caller has checked. */
  readonly launch?: 'not_found' | 'not_executable' | undefined;
}

/** What an entry would do, as far as that is known without running it. */
export interface EntryOutlook {
  /** `null`: it depends on the command that is its condition. */
  readonly runs: boolean | null;
  /** The clause that keeps it from running or makes it fail: names of tools, fields and patterns, never values. */
  readonly why?: string | undefined;
  /** Its answer, even if it does not run; absent if only a run can tell. */
  readonly answer?: EntryAnswer | undefined;
  /** It matches the occasion, but its file is not trusted. */
  readonly isRefused?: true;
  /** How its file runs the entries of its event. */
  readonly strategy: Strategy;
}

/**
 * Says what an entry would do, without running anything. An entry of an untrusted file denies what it guards. An entry that cannot be
 * tested or started does what its settings say about that failure.
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
  const surroundings = makeSurroundings(options);
  const occasion = await makeOccasion({ event, state, ...surroundings }, await row.details(args, state));
  const compiled = compileEntry(entry);
  const strategy = dialectNamed(entry.dialect)?.strategy(eventName) ?? 'parallel';
  const firing: Firing = { compiled, occasion, state, surroundings, isGate: isGate(event) };
  const outlook = await foretold(firing, whyNot(compiled, occasion), { trust, launch });
  // The answer of an entry that is not awaited is dropped.
  return { ...outlook, ...(entry.isAwaited ? {} : { answer: {} }), strategy };
}

type Foretold = Omit<EntryOutlook, 'strategy'>;

interface Firing extends Pick<PlannedRun, 'state' | 'surroundings' | 'isGate'> {
  readonly compiled: CompiledEntry;
  readonly occasion: Occasion;
}

async function foretold(
  firing: Firing,
  why: WhyNot,
  { trust, launch }: Pick<EntryFiring, 'trust' | 'launch'>,
): Promise<Foretold> {
  const { entry } = firing.compiled;
  if (typeof why === 'string') return { runs: false, why, answer: {} };
  if (trust === 'unknown' || trust === 'changed')
    return { ...certain(refusedOrSkipped(entry, refusals[trust]), false), isRefused: true };
  if (why !== undefined) return certain(failed(entry, why), false);
  const obstacle = await findLaunchObstacle(firing, launch);
  return obstacle === undefined
    ? { runs: isConditional(entry) ? null : true }
    : certain(failed(entry, obstacle), true);
}

/** Finds what will certainly make the entry fail, in the order in which a run would meet it. */
async function findLaunchObstacle(
  { compiled, occasion, ...planned }: Firing,
  launch: EntryFiring['launch'],
): Promise<HandlerFailed | undefined> {
  const { entry } = compiled;
  const { timeoutMs } = entry;
  try {
    const invocation = compiled.invocation(occasion);
    if (isConditional(entry)) return undefined;
    const obstacle = await findObstacle({ ...planned, entry, invocation, timeoutMs });
    return obstacle ?? (launch && describeFailure({ outcome: launch }, timeoutMs));
  } catch (error) {
    return notInvoked(error);
  }
}

function isConditional(entry: CommandEntry): boolean {
  return conditionCommand(entry) !== undefined;
}

function certain({ answer = {}, run: { why } }: EntryResult, runs: boolean): Foretold {
  return { runs, why, answer };
}
