import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deferred, type Execute, harness, hookOf, kinds, samples, settled } from './chain.fixture.ts';
import type { AnyHook } from './define.ts';
import type { AnyHookKind } from './lifecycle.ts';
import type { Outcome } from './record.ts';
import { lifecycleTable } from './table.ts';

/**
 * The executor against a model of it: random chains of hooks that behave in random ways. The model is a plain loop over
 * what design §4 and §6 say; it knows nothing of promises, timers or copies.
 */

const behaviours = {
  same: 'ok',
  sameLater: 'ok',
  other: 'changed',
  otherLater: 'changed',
  nonsense: 'invalid_result',
  throws: 'failed',
  rejects: 'failed',
  badInput: 'invalid_input',
  hangs: 'timed_out',
  lateAnswer: 'timed_out',
  lateRejection: 'timed_out',
  aborts: 'aborted',
  hangsTillAbort: 'aborted',
} as const satisfies Record<string, Outcome>;

type Behaviour = keyof typeof behaviours;
type Policy = 'block' | 'continue' | 'ask' | undefined;

interface Member {
  readonly behaviour: Behaviour;
  readonly onError: Policy;
  readonly onTimeout: Policy;
}

interface Chain {
  readonly kind: AnyHookKind;
  readonly members: readonly Member[];
}

const TIMEOUT = 10;

/** What the executor reports and returns. */
interface Ended {
  readonly outcomes: readonly Outcome[];
  readonly end: string;
}

function outcomeOf(kind: AnyHookKind, behaviour: Behaviour): Outcome {
  const outcome = behaviours[behaviour];
  if (kind === 'observe' && (outcome === 'changed' || outcome === 'invalid_result')) return 'ok';
  if (kind === 'collect' && outcome === 'changed') return 'ok';
  if (kind === 'decide' && outcome === 'changed') return 'asked';
  return outcome;
}

/** What should come of a chain. */
function model({ kind, members }: Chain): Ended {
  const outcomes: Outcome[] = [];
  const decisions: string[] = [];
  let changes = 0;
  let withheld = false;
  for (const [i, { behaviour, onError, onTimeout }] of members.entries()) {
    const outcome = outcomeOf(kind, behaviour);
    outcomes.push(outcome);
    const rest = members.slice(i + 1).map((): Outcome => 'skipped');
    if (outcome === 'aborted') return { outcomes: [...outcomes, ...rest], end: 'error aborted' };
    if (outcome === 'asked') decisions.push('ask');
    if (outcome === 'changed' || (kind === 'collect' && behaviours[behaviour] === 'changed')) changes++;
    if (outcome === 'ok' || outcome === 'changed' || outcome === 'asked') continue;
    const policy =
      (outcome === 'timed_out' ? onTimeout : undefined) ??
      onError ??
      lifecycleTable[samples[kind].hook].onFailure;
    if (policy === 'continue') continue;
    if (kind === 'decide') decisions.push(policy === 'ask' ? 'ask' : 'deny');
    if (policy === 'ask') continue;
    outcomes.push(...rest);
    if (kind === 'decide') break;
    if (kind !== 'replace') return { outcomes, end: `error ${outcome}` };
    withheld = true;
    break;
  }
  return { outcomes, end: endOf(kind, { decisions, changes, withheld }) };
}

function endOf(
  kind: AnyHookKind,
  { decisions, changes, withheld }: { decisions: string[]; changes: number; withheld: boolean },
): string {
  if (kind === 'decide')
    return `decision ${['deny', 'ask'].find((word) => decisions.includes(word)) ?? 'null'}`;
  if (kind === 'collect') return `texts ${changes}`;
  if (kind === 'observe') return 'nothing';
  return withheld ? 'withheld' : `changed ${changes > 0}`;
}

const nonsense: Readonly<Record<AnyHookKind, unknown>> = {
  observe: 5,
  replace: 5,
  transform: 5,
  decide: 5,
  collect: 5,
};

/** Hooks that behave as they should, on a real chain. */
function real({ kind, members }: Chain, trial: ReturnType<typeof harness>): AnyHook[] {
  const { hook, same, other } = samples[kind];
  const { clock, thread } = trial;
  let changes = 0;
  const changed = (...lent: never[]): unknown => {
    if (kind === 'decide') return { decision: 'ask' };
    const answer = other(...lent);
    return kind === 'replace' || kind === 'transform' ? { ...(answer as object), change: ++changes } : answer;
  };
  const late = (end: 'resolve' | 'reject'): Promise<unknown> => {
    const answer = deferred();
    clock.setTimeout(() => answer[end](end === 'resolve' ? nonsense[kind] : new Error('late')), TIMEOUT + 5);
    return answer.promise;
  };
  const executes: Record<Behaviour, Execute> = {
    same: (_state, ...lent) => same(...lent),
    sameLater: async (_state, ...lent) => clock.sleep('3ms' as never).then(() => same(...lent)),
    other: (_state, ...lent) => changed(...lent),
    otherLater: async (_state, ...lent) => clock.sleep('3ms' as never).then(() => changed(...lent)),
    nonsense: () => nonsense[kind],
    throws: () => {
      throw new Error('no');
    },
    rejects: async () => Promise.reject(new Error('no')),
    badInput: (_state, ...lent) => same(...lent),
    hangs: () => new Promise(() => {}),
    lateAnswer: () => late('resolve'),
    lateRejection: () => late('reject'),
    aborts: (_state, ...lent) => {
      thread.abort();
      return same(...lent);
    },
    hangsTillAbort: () => {
      clock.setTimeout(() => thread.abort(), 3);
      return new Promise(() => {});
    },
  };
  const refuses = {
    '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message: 'no' }] }) },
  };
  return members.map(({ behaviour, onError, onTimeout }) =>
    hookOf(hook, executes[behaviour], {
      timeout: TIMEOUT,
      ...(onError === undefined ? {} : { onError }),
      ...(onTimeout === undefined ? {} : { onTimeout }),
      ...(behaviour === 'badInput' ? { schema: refuses } : {}),
    }),
  );
}

async function run(chain: Chain): Promise<Ended & { problems: string[] }> {
  const trial = harness();
  const args = samples[chain.kind].args();
  const hooks = real(chain, trial);
  const ending = settled(trial.run(hooks, ...args));
  await trial.clock.advance((TIMEOUT + 10) * (hooks.length + 1));
  const { value, error } = await ending;
  const problems: string[] = [];
  const ids = trial.records.map(({ id }) => id);
  if (new Set(ids).size !== hooks.length || ids.length !== hooks.length)
    problems.push('not every hook is recorded once');
  for (const { outcome, code, changed, ms } of trial.records) {
    const isGood = ['ok', 'changed', 'asked', 'denied', 'skipped'].includes(outcome);
    if (isGood !== (code === undefined)) problems.push(`${outcome} with the code ${code}`);
    if (changed !== (outcome === 'changed')) problems.push(`${outcome}, changed: ${changed}`);
    if (ms < 0 || ms > TIMEOUT) problems.push(`${outcome} after ${ms} ms`);
  }
  return {
    outcomes: trial.records.map(({ outcome }) => outcome),
    end: endSeen(chain.kind, { value, error, args }),
    problems,
  };
}

function endSeen(
  kind: AnyHookKind,
  { value, error, args }: { value?: unknown; error?: { code: string } | undefined; args: unknown[] },
): string {
  if (error !== undefined)
    return `error ${error.code === 'hook_failed' ? 'failed' : error.code === 'hook_timed_out' ? 'timed_out' : error.code}`;
  if (kind === 'decide') return `decision ${(value as { decision: string | null }).decision}`;
  if (kind === 'collect') return `texts ${(value as string[]).length}`;
  if (kind === 'observe') return value === undefined ? 'nothing' : 'something';
  if ((value as { error?: string }).error?.includes('withheld')) return 'withheld';
  return `changed ${value !== args.at(-1)}`;
}

const policiesOf = (kind: AnyHookKind): Policy[] => {
  if (kind === 'observe') return [undefined, 'continue'];
  return kind === 'decide' ? [undefined, 'block', 'continue', 'ask'] : [undefined, 'block', 'continue'];
};

const chains: fc.Arbitrary<Chain> = fc.constantFrom(...kinds).chain((kind) => {
  const policy = fc.constantFrom(...policiesOf(kind));
  const behaviour = fc.constantFrom(...(Object.keys(behaviours) as Behaviour[]));
  const member = fc.record({ behaviour, onError: policy, onTimeout: policy });
  return fc.record({ kind: fc.constant(kind), members: fc.array(member, { minLength: 1, maxLength: 6 }) });
});

test('C10: every run of every chain is recorded once, with the one outcome it should have', async () => {
  await fc.assert(
    fc.asyncProperty(chains, async (chain) => {
      const { problems, ...ended } = await run(chain);
      expect(ended).toEqual(model(chain));
      expect(problems).toEqual([]);
    }),
    { numRuns: 400 },
  );
}, 60_000);
