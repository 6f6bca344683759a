import {
  type LifecycleName,
  lifecycleRow,
  lifecycleTable,
  type RunError,
  type RunRecord,
  type Verdict,
} from '@spec/hooks';
import { type Carried, leaveOutCarriers } from '../project/carried.ts';
import type { KnownHook } from '../project/known-hooks.ts';
import type { Scene } from './scene.ts';

/** What came of an event. */
export interface Fired {
  readonly hook: LifecycleName;
  readonly decision: 'allow' | 'deny' | 'ask' | null;
  /** The hook whose decision it is. */
  readonly by: string | null;
  /** The same, but of a hook that runs entries or rules the one of them that decided, where that can be told. */
  readonly decider: string | null;
  readonly reason: string | null;
  readonly userMessage: string | null;
  /** The rewritten input: a tool call's arguments, or a user message's text; `null` where nobody rewrote it. */
  readonly input: unknown;
  /** What hooks have for the conversation. */
  readonly context: readonly string[];
  /** What takes the place of what the hooks were given, where one of them changed it; the answer to a call that does not run. */
  readonly result: unknown;
  /** What goes on from here, changed or not: the input that was decided on, or the subject. */
  readonly output: unknown;
  readonly runs: readonly RunRecord[];
  /** The runs for a person: an entry and the hook around it are one, where the entry says it all. */
  readonly shown: readonly RunRecord[];
  /** What hooks threw: for their author at the terminal. */
  readonly thrown: readonly Thrown[];
  /** Why the chain ended early. */
  readonly error?: RunError;
}

/** What a hook threw. */
export interface Thrown {
  readonly id: string;
  readonly error: unknown;
}

/** How a chain ended. */
export type Ended = { readonly value: unknown } | { readonly error: RunError };

interface Ending {
  readonly hook: LifecycleName;
  readonly ended: Ended;
  readonly runs: readonly RunRecord[];
  readonly thrown: readonly Thrown[];
  readonly said: Awaited<ReturnType<Scene['said']>>;
  /** What the hooks run that are made of files, in the order in which its answers are combined. */
  readonly members: readonly Member[];
  readonly carried: Carried;
}

/** What came of a chain, and of what its hooks did to the thread. */
export function describeFired({ hook, ended, runs, thrown, said, members, carried }: Ending): Fired {
  const { contexts, userMessages } = said;
  const fired: Fired = {
    hook,
    decision: null,
    by: null,
    decider: null,
    reason: null,
    userMessage: userMessages.length === 0 ? null : userMessages.join('\n'),
    input: null,
    context: contexts,
    result: null,
    output: null,
    runs,
    shown: selectShown(runs, carried),
    thrown,
  };
  if ('error' in ended) return { ...fired, reason: ended.error.message, error: ended.error };
  const { value } = ended;
  const { kind } = lifecycleTable[hook];
  if (kind === 'observe') return fired;
  if (kind === 'decide') {
    const verdict = value as Verdict;
    return { ...fired, ...decided(verdict, fired), decider: findDecider(verdict.by, runs, members) };
  }
  if (kind === 'collect') return { ...fired, context: [...(value as readonly string[]), ...contexts] };
  const isChanged = runs.some((run) => run.hook === hook && (run.changed || isWithheld(run)));
  return { ...fired, output: value, result: isChanged ? value : null };
}

function selectShown(runs: readonly RunRecord[], carried: Carried): RunRecord[] {
  const done = runs.map((run) => ({
    ...run,
    run,
    changed: Number(run.changed),
    outcomes: { [run.outcome]: 1 },
  }));
  return leaveOutCarriers(done, carried).map(({ run }) => run);
}

/** A hook that blocks has something else put in the place of what it did not see through. */
function isWithheld({ outcome }: RunRecord): boolean {
  return outcome !== 'ok' && outcome !== 'skipped';
}

function decided(verdict: Verdict, { hook, userMessage, context }: Fired): Partial<Fired> {
  const output = lifecycleRow(hook).decide?.input?.(verdict.subject) ?? null;
  return {
    decision: verdict.decision,
    by: verdict.by,
    reason: verdict.reason ?? null,
    userMessage: verdict.userMessage ?? userMessage,
    input: verdict.rewrittenBy.length === 0 ? null : output,
    output,
    context: [...verdict.context, ...context],
    result: verdict.result ?? null,
  };
}

/** An entry or a rule, with the hook of the chain that runs it. */
type Member = Pick<KnownHook, 'id' | 'runsIn'>;

type Run = Pick<RunRecord, 'id' | 'outcome'>;

/**
 * Who decided: of the entries or rules that a hook runs the first, in their order, that came out as the hook did. Several may have;
 * which of them ended first does not matter, and what they said before the input was rewritten does not count.
 *
 * @param by the hook whose decision it is
 * @param runs as they were recorded: the members before the hook that runs them
 * @param members in the order in which their answers are combined
 */
function findDecider(by: string | null, runs: readonly Run[], members: readonly Member[]): string | null {
  const ids = members.filter(({ runsIn }) => runsIn === by).map(({ id }) => id);
  const end = runs.findLastIndex(({ id }) => id === by);
  const outcome = runs[end]?.outcome;
  if (ids.length === 0 || (outcome !== 'denied' && outcome !== 'asked')) return by;
  const start = runs.slice(0, Math.max(end, 0)).findLastIndex(({ id }) => id === by) + 1;
  const last = new Map(runs.slice(start, end).map((run) => [run.id, run.outcome]));
  const decided = ids.find((id) => last.get(id) === outcome);
  if (decided !== undefined) return decided;
  const failed = ids.filter((id) => isFailure(last.get(id)));
  return failed.length === 1 ? (failed[0] ?? by) : by;
}

/** Of those that denied nothing a failure may have, where it blocks. */
function isFailure(outcome: Run['outcome'] | undefined): boolean {
  return outcome !== undefined && !passing.includes(outcome);
}

const passing: readonly Run['outcome'][] = ['ok', 'changed', 'skipped', 'denied', 'asked'];
