import type { AnyHook, Outcome, StandardSchema } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { Ability, FullTrial, Setup } from '../../subject.ts';
import { gate, never, on, onUntyped, scoped } from '../kit/index.ts';
import { asks, makeCall, SHORT, soon, watchedTool } from '../kit/trials.ts';

const about = { section: 'C10', level: 'ours', needs: ['ledger'] } as const;
const oneCall: Setup = { tools: [watchedTool()], script: [asks(makeCall('act'))] };

const strict: StandardSchema = {
  '~standard': { version: 1, vendor: 'case', validate: () => ({ issues: [{ message: 'no' }] }) },
};

/** How a hook comes to an outcome, and the code that is recorded with it. */
interface Way {
  readonly hooks: readonly AnyHook[];
  readonly setup?: Setup;
  readonly needs?: readonly Ability[];
  readonly code?: string;
  readonly changed?: true;
  /** Without it one message is sent. */
  go?(trial: FullTrial): Promise<unknown>;
}

const create = (execute: () => Promise<unknown>, options: object = {}): AnyHook =>
  onUntyped('after_create_message', execute, { id: 'judged', ...options });
const decide = (execute: () => Promise<unknown>, options: object = {}): AnyHook =>
  onUntyped('before_tool_call', execute, { id: 'judged', ...options });

/** Each way makes the hook "judged" run to one outcome, in every one of its runs. */
const ways: Readonly<Record<Outcome, () => Way>> = {
  ok: () => ({ hooks: [create(async () => {})] }),
  changed: () => ({
    hooks: [on('before_create_message', async (_, message) => ({ ...message, tag: 1 }), { id: 'judged' })],
    changed: true,
  }),
  denied: () => ({ hooks: [decide(async () => ({ decision: 'deny' }))], setup: oneCall, needs: ['control'] }),
  asked: () => ({ hooks: [decide(async () => ({ decision: 'ask' }))], setup: oneCall, needs: ['control'] }),
  failed: () => ({ hooks: [create(() => Promise.reject(new Error('no luck')))], code: 'hook_failed' }),
  timed_out: () => ({ hooks: [create(never, { timeout: SHORT })], code: 'hook_timed_out' }),
  aborted: abortedWay,
  invalid_input: () => ({ hooks: [create(async () => {}, { schema: strict })], code: 'invalid_input' }),
  invalid_result: () => ({
    hooks: [decide(async () => 'allow')],
    setup: oneCall,
    needs: ['control'],
    code: 'invalid_result',
  }),
  skipped: () => ({
    hooks: [decide(async () => null, { match: 'other' })],
    setup: oneCall,
    needs: ['control'],
  }),
};

function abortedWay(): Way {
  const reached = gate();
  const hanging = (): Promise<never> => {
    reached.open();
    return never();
  };
  return {
    hooks: [on('after_system_message', hanging, { id: 'judged' })],
    setup: { system: 'Be brief.' },
    needs: ['abort'],
    code: 'aborted',
    async go(trial) {
      const sending = trial.send('Go');
      await soon(reached.opened, 'the hook that hangs');
      await trial.stop();
      return sending;
    },
  };
}

async function isRecordedAs({ open }: TestBench, outcome: Outcome): Promise<void> {
  const { hooks, setup, code, changed = false, go } = ways[outcome]();
  const trial = await open(scoped(hooks, setup));
  await soon(
    (go?.(trial) ?? trial.send('Go')).catch(() => {}),
    'the end of the turn',
  );
  const runs = (await trial.runs()).filter(({ id }) => id === 'judged');
  holds(runs.length > 0, 'expected runs of the hook in the record, there are none');
  for (const run of runs) {
    same(
      [run.hook, run.outcome, run.changed],
      [hooks[0]?.hook, outcome, changed],
      'hook, outcome and change',
    );
    if (code !== undefined) same(run.code, code, 'the code');
    holds(
      run.ms >= 0 && Number.isFinite(run.ms),
      `the milliseconds: expected a number from 0, got ${run.ms}`,
    );
  }
}

/** Each outcome that a run can have, as the record tells it (C10). */
export const outcomeCases: readonly Case[] = (Object.keys(ways) as Outcome[]).map((outcome) => {
  const { needs = [], hooks } = ways[outcome]();
  return {
    ...about,
    id: `ledger.tells_${outcome}`,
    says: `A run that ends as ${outcome} is recorded so, with its hook, its id and its time${ways[outcome]().code === undefined ? '' : ', and a code'}.`,
    needs: ['ledger', ...needs],
    hooks: hooks.map(({ hook }) => hook),
    run: (bench) => isRecordedAs(bench, outcome),
  };
});
