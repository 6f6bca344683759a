import {
  type AnyHook,
  createExecutor,
  createRegistry,
  defineHook,
  RunError,
  type RunRecord,
  type ThreadState,
} from '@spec/hooks';
import { type VirtualClock, virtualClock } from '@spec/hooks/testing';
import { type Chain, DEFAULT_TIMEOUT, type End, type Ended, type Member } from '../src/model/chain.ts';
import { carriers } from './carriers.ts';

/** The same chains on the real executor: hooks that do what a {@link Member} says, on a clock that a test moves. */

type Fields = Record<string, unknown>;

/** When a hook that writes late does so, in milliseconds after it began. */
const LATE = 50;

interface Trial {
  readonly chain: Chain;
  readonly clock: VirtualClock;
  readonly thread: AbortController;
  readonly records: RunRecord[];
  readonly lateWrites: string[];
  readonly signals: Array<{ readonly id: string; readonly signal: AbortSignal }>;
  /** The writes that landed: the ids of the hooks that wrote, and `late` for one after its hook had ended. */
  readonly landed: string[];
}

/** What an executor makes of a chain, and which of its promises it broke that no model tells of. */
export async function runReally(chain: Chain): Promise<Ended & { readonly problems: readonly string[] }> {
  const trial: Trial = {
    chain,
    clock: virtualClock(),
    thread: new AbortController(),
    records: [],
    lateWrites: [],
    signals: [],
    landed: [],
  };
  const { clock, thread, records, lateWrites } = trial;
  const executor = createExecutor({
    clock,
    timeout: DEFAULT_TIMEOUT,
    onRun: (record) => void records.push(record),
    onLateWrite: ({ id }) => void lateWrites.push(readName(id)),
  });
  if (chain.abortAt !== undefined && chain.abortAt < 0) thread.abort();
  else if (chain.abortAt !== undefined) clock.setTimeout(() => thread.abort(), chain.abortAt);
  const args = carriers[chain.hook].args(chain.marks);
  const before = structuredClone(args);
  const ending = waitForEnd(trial, async () =>
    executor.run(chain.hook, scopeFor(trial), makeState(trial), ...(args as never)),
  );
  await clock.advance(400);
  const end = await ending;
  const problems = findProblems(trial);
  if (JSON.stringify(args) !== JSON.stringify(before))
    problems.push('what was given to the chain was changed');
  return {
    runs: records.map(({ id, outcome }) => `${readName(id)} ${outcome}`),
    end,
    wrote: trial.landed,
    lateWrites,
    signalled: trial.signals.filter(({ signal }) => signal.aborted).map(({ id }) => id),
    problems,
  };
}

const readName = (id: string): string => id.replace('hook_', '');

function scopeFor(trial: Trial): ReturnType<ReturnType<typeof createRegistry>['scope']> {
  const made = trial.chain.members.map((member) => ({ member, hook: makeHook(member, trial) }));
  const policies = made.filter(({ member }) => member.isPolicy).map(({ hook }) => hook);
  const hooks = made.filter(({ member }) => !member.isPolicy).map(({ hook }) => hook);
  return createRegistry({ hooks, policies }).scope({
    prompt: { name: 'prompt', hooks: hooks.map(({ id }) => id) },
  });
}

const refusing = {
  '~standard': { version: 1, vendor: 'model', validate: async () => ({ issues: [{ message: 'no' }] }) },
};

function makeHook(member: Member, trial: Trial): AnyHook {
  const { onError, onTimeout, timeout, refuses, priority } = member;
  return defineHook({
    hook: trial.chain.hook,
    id: `hook_${member.id}`,
    priority,
    ...(onError === undefined ? {} : { onError }),
    ...(onTimeout === undefined ? {} : { onTimeout }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(refuses === 'match' ? { match: 'another_tool' } : {}),
    ...(refuses === 'schema' ? { schema: refusing } : {}),
    ...(member.mayChangeNothing ? { changes: [] } : {}),
    execute: (state: ThreadState, ...lent: never[]) => behave({ member, trial, state }, lent),
  } as never) as AnyHook;
}

interface Call {
  readonly member: Member;
  readonly trial: Trial;
  readonly state: ThreadState;
}

/** Does what the member says; whatever it answers, it spoils that and what it was lent afterwards. */
function behave({ member, trial, state }: Call, lent: never[]): unknown {
  const { clock, thread, chain, signals } = trial;
  const { scribble } = carriers[chain.hook];
  const subject = lent.at(-1) as never;
  signals.push({ id: member.id, signal: state.execution.abortSignal });
  const answer = makeAnswer({ member, trial, state }, subject);
  if (member.scribbles) scribble?.(subject);
  if (member.writesLate) clock.setTimeout(() => void state.setValue('late', true).catch(() => {}), LATE);
  if (member.aborts) thread.abort();
  const settle = (): unknown => {
    if (!state.execution.abortSignal.aborted) void state.setValue(member.id, true);
    if (member.answer === 'throws') throw new Error('thrown by a hook under test');
    if (member.answer === 'null') return null;
    if (member.answer === 'undefined') return undefined;
    queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => spoil(answer))));
    return answer;
  };
  if (member.ms === 0) return settle();
  return new Promise((resolve, reject) => {
    const end = (): void => {
      try {
        resolve(settle());
      } catch (error) {
        reject(error as Error);
      }
    };
    if (member.ms !== Number.POSITIVE_INFINITY) clock.setTimeout(end, member.ms);
  });
}

function makeAnswer({ member, trial: { chain } }: Call, subject: never): unknown {
  const { read, edited, wrong } = carriers[chain.hook];
  const { answer, decision, onlyAbout, edit, id } = member;
  if (answer === 'wrong') return structuredClone(wrong);
  if (answer !== 'lent' && answer !== 'edited') return undefined;
  const isDecision =
    chain.hook === 'before_tool_call' ||
    chain.hook === 'before_user_message' ||
    chain.hook === 'before_compaction';
  if (chain.hook === 'after_tool_batch') return answer === 'edited' ? [id] : subject;
  const marks = read(subject);
  const next = edit === 'sets' ? id : marks + id;
  if (!isDecision) return answer === 'edited' ? edited(subject, next) : subject;
  if (onlyAbout !== undefined && !marks.includes(onlyAbout)) return null;
  return {
    ...(decision === undefined ? {} : { decision }),
    ...(answer === 'edited' ? { input: edited(subject, next) } : {}),
  };
}

/** Writes into everything that a hook still holds. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) spoil(inner);
  if (Array.isArray(value)) value.length = 0;
  else for (const field of Object.keys(value)) (value as Fields)[field] = 'spoilt';
}

function makeState(trial: Trial): ThreadState {
  const { thread } = trial;
  const execution = {
    flowId: 'flow',
    currentSide: 'a',
    stepCount: 1,
    stopped: false,
    abortSignal: thread.signal,
    stop: () => {},
  };
  const setValue = async (key: string): Promise<void> => void trial.landed.push(key);
  return { threadId: 't', agentId: 'a', userId: null, execution, setValue } as never;
}

async function waitForEnd({ chain }: Trial, run: () => Promise<unknown>): Promise<End> {
  const { read } = carriers[chain.hook];
  try {
    const value = await run();
    if (value === undefined) return null;
    if (Array.isArray(value) && chain.hook === 'after_tool_batch') return { texts: value as string[] };
    const verdict = value as {
      decision?: 'allow';
      by: string;
      subject: never;
      rewrittenBy: string[];
      error?: string;
    };
    if ('rewrittenBy' in Object(value)) {
      const { decision = null, by, subject, rewrittenBy } = verdict;
      return {
        decision,
        by: by === null ? null : readName(by),
        marks: read(subject),
        rewrittenBy: rewrittenBy.map(readName),
      };
    }
    const withheld = /withheld, because the hook "hook_(.)"/.exec(verdict.error ?? '');
    return withheld ? { withheld: withheld[1] as string } : { marks: read(value as never) };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const code = { hook_failed: 'failed', hook_timed_out: 'timed_out' }[error.code as string] ?? error.code;
    return error.id === undefined ? { error: code } : { error: code, by: readName(error.id) };
  }
}

function findProblems({ records, landed }: Trial): string[] {
  const problems = landed.includes('late') ? ['a late write landed'] : [];
  for (const { outcome, code, changed, ms } of records) {
    const isFailure = !['ok', 'changed', 'asked', 'denied', 'skipped'].includes(outcome);
    if (isFailure !== (code !== undefined)) problems.push(`${outcome} with the code ${code}`);
    if (changed !== (outcome === 'changed') && outcome !== 'asked' && outcome !== 'denied')
      problems.push(`${outcome}, changed: ${changed}`);
    if (ms < 0 || ms > DEFAULT_TIMEOUT) problems.push(`${outcome} after ${ms} ms`);
  }
  return problems;
}
