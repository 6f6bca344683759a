import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { counted, gate, happened, lines, never, on, scoped, watch, writeLine } from '../kit/index.ts';
import { asks, lacks, makeCall, results, SHORT, soon, watchedTool } from '../kit/trials.ts';

const about = { section: 'design 7.2', level: 'ours', needs: ['subagents'] } as const;
const delegates = [asks(makeCall('delegate', { task: 'Think.' })), { text: 'I see.' }];

/** Subagents that fail, are refused, or are stopped. */
export const subagentFailureCases: readonly Case[] = [
  {
    ...about,
    hooks: ['after_tool_call_failure'],
    id: 'subagents.failed_one_is_a_failed_call',
    says: 'A subagent whose model fails is a failed call of the parent, which goes on.',
    async run({ open }) {
      const failures: string[] = [];
      const look = watch('after_tool_call_failure', (_, call) => failures.push(call.function.name));
      const trial = await open({
        hooks: [look],
        promptHooks: [look.id],
        script: delegates,
        subagent: { script: [{ fails: true }] },
      });
      const { status, text } = await trial.send('Go');
      same([status, text], ['completed', 'I see.'], 'how the turn of the parent ended');
      same(failures, ['delegate'], 'the calls that after_tool_call_failure saw');
      same((await results(trial)).length, 1, 'how many results are stored');
    },
  },
  {
    ...about,
    hooks: ['before_create_message'],
    id: 'subagents.refused_first_message_is_a_failed_call',
    says: 'A subagent whose first message its create chain refuses never runs, and the parent goes on.',
    async run({ open }) {
      const guard = counted('before_create_message', async () => {
        throw new Error('no luck');
      });
      const { hook } = guard;
      const trial = await open({
        hooks: [hook],
        promptHooks: [],
        script: delegates,
        subagent: { script: [{ text: 'Thought.' }], promptHooks: [hook.id] },
      });
      const { status } = await trial.send('Go');
      same(status, 'completed', 'how the turn of the parent ended');
      happened(guard.runs, 'a run of the hook');
      const inside = (await trial.subagents()).flat().map(writeLine).join(' | ');
      for (const text of ['Think.', 'Thought.']) lacks(inside, text, 'the messages of the subagent');
      lacks((await lines(trial)).join(' | '), 'Thought.', 'the messages of the parent');
    },
  },
  {
    ...about,
    needs: ['subagents', 'control'],
    hooks: ['before_user_message', 'after_tool_call_failure'],
    id: 'subagents.denied_task_is_a_failed_call',
    says: 'A subagent whose task a hook denies is a failed call of the parent, which goes on.',
    async run({ open }) {
      const failures: string[] = [];
      const look = watch('after_tool_call_failure', (_, call) => failures.push(call.function.name));
      const deny = on('before_user_message', async () => ({ decision: 'deny', reason: 'no helpers' }));
      const trial = await open({
        hooks: [look, deny],
        promptHooks: [look.id],
        script: delegates,
        subagent: { script: [{ text: 'Thought.' }], promptHooks: [deny.id] },
      });
      const { status } = await trial.send('Go');
      same(status, 'completed', 'how the turn of the parent ended');
      same(failures, ['delegate'], 'the calls that after_tool_call_failure saw');
      same((await trial.subagents()).flat(), [], 'the messages of the subagent');
    },
  },
  {
    ...about,
    hooks: ['after_thread_created', 'after_subagent_created'],
    id: 'subagents.hooks_of_creation_that_fail_stop_nothing',
    says: 'A hook of a creation that fails or hangs is no reason for a subagent not to run.',
    async run({ open }) {
      for (const name of ['after_thread_created', 'after_subagent_created'] as const) {
        for (const execute of [() => Promise.reject(new Error('no luck')), () => never<void>()]) {
          const broken = counted(name, execute, { timeout: SHORT });
          const scope = scoped([broken.hook]);
          const trial = await open({
            ...scope,
            script: delegates,
            subagent: { ...scope, script: [{ text: 'Thought.' }] },
          });
          await trial.send('Go');
          happened(broken.runs, `a run of a broken ${name}`);
          same(await results(trial), ['Thought.'], `behind a broken ${name}: the stored results`);
        }
      }
    },
  },
  {
    ...about,
    needs: ['subagents', 'abort'],
    id: 'subagents.stop_of_the_parent_reaches_them',
    says: 'A stop of the parent ends its subagent: the signal of its hook fires, and nothing of it runs any more.',
    hooks: ['filter_messages'],
    async run({ open }) {
      const [reached, signalled] = [gate(), gate()];
      const tool = watchedTool();
      const hanging = on('filter_messages', (state) => {
        state.execution.abortSignal.addEventListener('abort', () => signalled.open());
        reached.open();
        return never();
      });
      const trial = await open({
        hooks: [hanging],
        promptHooks: [],
        tools: [tool],
        script: delegates,
        subagent: { script: [asks(makeCall('act')), { text: 'Thought.' }], promptHooks: [hanging.id] },
      });
      const sending = trial.send('Go');
      await soon(reached.opened, 'the hook of the subagent');
      await trial.stop();
      same((await soon(sending, 'the turn that was stopped')).status, 'aborted', 'how the turn ended');
      await soon(signalled.opened, 'the signal in the subagent');
      same(tool.ran.length, 0, 'how often the subagent’s tool ran');
    },
  },
];
