import { type HookName, specificationTable } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case } from '../case.ts';
import { calling, on, onUntyped, scoped, tool, watch } from './kit/index.ts';
import { delegating } from './kit/places.ts';

const created = (role: string): string[] => [`before_create_message ${role}`, `after_create_message ${role}`];
const asked = ['after_system_message', 'filter_messages', 'prefilter_llm_history'];

/** The order of a turn whose model calls one tool (design §7.1). */
const turnInOrder: readonly string[] = [
  'after_thread_created',
  ...created('user'),
  ...asked,
  ...created('assistant'),
  'after_tool_call_success',
  'before_store_tool_result',
  ...created('tool'),
  ...asked,
  ...created('assistant'),
];

const namesInTurn = (Object.keys(specificationTable) as HookName[]).filter((name) =>
  turnInOrder.some((line) => line.split(' ')[0] === name),
);

/** Where the hooks without a chapter of their own run (specification §1.1), and the order of all. */
export const lifecycleCases: readonly Case[] = [
  {
    id: 'lifecycle.a_turn_runs_its_hooks_in_order',
    section: 'design 7.1',
    level: 'ours',
    says: 'The hooks of a turn run in the order of what they see: stored, asked, answered, run, stored, asked again.',
    hooks: namesInTurn,
    async run({ open }) {
      const ran: string[] = [];
      const hooks = (Object.keys(specificationTable) as HookName[]).map((hook) =>
        onUntyped(hook, async (_: unknown, ...args: unknown[]) => {
          const subject = args.at(-1) as { role?: string } | undefined;
          ran.push(hook.endsWith('create_message') ? `${hook} ${subject?.role}` : hook);
          return subject;
        }),
      );
      const tools = [tool('act', 'acted')];
      const trial = await open(scoped(hooks, { system: 'Be brief.', tools, script: calling('act') }));
      await trial.send('go');
      same(ran, turnInOrder, 'the hooks of the turn');
    },
  },
  {
    id: 'after_thread_created.runs_once_before_execution',
    section: 'spec 1.1',
    level: 'MUST',
    says: 'The hook runs once, after the thread is created and before anything is executed: not again in the next turn.',
    hooks: ['after_thread_created'],
    async run({ open }) {
      const steps: string[] = [];
      const hooks = [
        watch('after_thread_created', ({ threadId }) => steps.push(`created ${threadId}`)),
        watch('before_create_message', (_, message) => steps.push(String(message.role))),
      ];
      const trial = await open(scoped(hooks));
      await trial.send('one');
      await trial.send('two');
      const turn = ['user', 'assistant'];
      same(steps, [`created ${trial.threadId}`, ...turn, ...turn], 'what happened, in order');
    },
  },
  {
    id: 'after_thread_created.can_initialize_the_thread',
    section: 'spec 1.1',
    level: 'MUST',
    says: 'A message that the hook stores is there before the first one of the user.',
    needs: ['inject'],
    hooks: ['after_thread_created'],
    async run({ open }) {
      const hook = on('after_thread_created', async (state) => {
        await state.injectMessage({ role: 'user', content: 'I am Ada.' });
      });
      const trial = await open(scoped([hook]));
      await trial.send('Who am I?');
      const texts = (trial.sent()[0] ?? []).map(({ content }) => content);
      same(texts, ['I am Ada.', 'Who am I?'], 'what the model was sent');
    },
  },
  {
    id: 'after_thread_created.does_not_run_again_when_the_thread_is_opened',
    section: 'spec 1.1',
    level: 'MUST',
    says: 'The hook is about creation: opening a thread that is there does not run it.',
    needs: ['reopen'],
    hooks: ['after_thread_created'],
    async run({ open }) {
      let ran = 0;
      const hook = watch('after_thread_created', () => ran++);
      const trial = await open(scoped([hook]));
      await trial.send('one');
      await (await trial.reopen()).send('two');
      same(ran, 1, 'how often the hook ran');
    },
  },
  {
    id: 'after_subagent_created.runs_on_the_parent_with_the_child',
    section: 'spec 1.1',
    level: 'MUST',
    says: 'The hook runs on the parent, with the state of the child thread as its second argument, before the child runs.',
    needs: ['subagents'],
    hooks: ['after_subagent_created'],
    async run({ open }) {
      const seen: unknown[] = [];
      const hook = on('after_subagent_created', async (state, child) => {
        const messages = await child.getMessages();
        seen.push([state.threadId, child.threadId === state.threadId, messages.length]);
      });
      const trial = await open(
        scoped([hook], { script: delegating(), subagent: { script: [{ text: 'Thought.' }] } }),
      );
      await trial.send('go');
      same(
        seen,
        [[trial.threadId, false, 0]],
        'the parent, whether the child is it, and the child’s messages',
      );
    },
  },
  {
    id: 'after_subagent_created.runs_after_the_child_was_created',
    section: 'spec 1.1',
    level: 'MUST',
    says: 'The child’s own after_thread_created comes first, then the parent’s hook, then the child runs.',
    needs: ['subagents', 'policies'],
    hooks: ['after_subagent_created', 'after_thread_created'],
    async run({ open }) {
      const steps: string[] = [];
      const policies = [
        watch('after_thread_created', () => steps.push('thread created')),
        watch('after_subagent_created', () => steps.push('subagent created')),
        on('before_create_message', async (_, message) => {
          const { role, content } = message;
          if (role === 'user') steps.push(`user: ${String(content)}`);
          return message;
        }),
      ];
      const subagent = { script: [{ text: 'Thought.' }] };
      const trial = await open({ policies, script: delegating(), subagent });
      await trial.send('go');
      const expected = ['thread created', 'user: go', 'thread created', 'subagent created', 'user: think'];
      same(steps, expected, 'what happened, in order');
    },
  },
];
