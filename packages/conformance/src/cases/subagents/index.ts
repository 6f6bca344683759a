import type { AnyHook, LifecycleName, ThreadState } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import type { Setup } from '../../subject.ts';
import { lines, on, onUntyped, withText, writeLine } from '../kit/index.ts';
import { asks, contains, lacks, makeCall, sentText, watchedTool } from '../kit/trials.ts';
import { subagentFailureCases } from './failures.ts';

const about = { section: 'design 7.2', level: 'ours', needs: ['subagents'] } as const;
const withPolicies = { ...about, needs: ['subagents', 'policies'] } as const;

/** The parent hands a task to a subagent, which says one thing. */
function delegating(setup: Setup = {}): Setup {
  return {
    script: [asks(makeCall('delegate', { task: 'Think.' })), { text: 'I see.' }],
    subagent: { script: [{ text: 'Thought.' }] },
    ...setup,
  };
}

const inScope: readonly Case[] = [
  {
    ...about,
    id: 'subagents.last_text_is_the_result',
    says: 'What the subagent says last is the result of the parent’s call, and its messages are its own.',
    async run({ open }) {
      const trial = await open(delegating());
      const { text } = await trial.send('Go');
      same(text, 'I see.', 'what the parent answered');
      same((await lines(trial))[2], 'tool: Thought.', 'the stored result of the call');
      const [child = []] = await trial.subagents();
      same(child.at(-1)?.content, 'Thought.', 'the last message of the subagent');
      contains(child.map(writeLine).join(' | '), 'Think.', 'the messages of the subagent');
      contains(sentText(trial, 1), 'Thought.', 'what the parent’s model was sent next');
    },
  },
  {
    ...about,
    hooks: ['after_thread_created', 'after_subagent_created'],
    id: 'subagents.creation_is_told_to_child_and_parent_before_it_runs',
    says: 'after_thread_created runs for the child, then after_subagent_created for the parent, then the child runs.',
    async run({ open }) {
      const order: string[] = [];
      const ids = new Set<string>();
      const note = (name: LifecycleName) => (state: ThreadState, child?: ThreadState) => {
        order.push(`${name} ${child === undefined ? 'of the thread itself' : 'of its child'}`);
        ids.add((child ?? state).threadId);
      };
      const hooks = [
        on('after_thread_created', async (state) => note('after_thread_created')(state)),
        on('after_subagent_created', async (state, child) => note('after_subagent_created')(state, child)),
        on('filter_messages', async (state, messages) => {
          if (messages.some(({ content }) => content?.includes('Think.') && !content.includes('Go')))
            order.push('the child runs');
          ids.add(state.threadId);
          return messages;
        }),
      ];
      const scope = hooks.map(({ id }) => id);
      const child = { script: [{ text: 'Thought.' }], promptHooks: scope };
      const trial = await open(delegating({ hooks, promptHooks: scope, subagent: child }));
      await trial.send('Go');
      const created = order.filter((line) => line !== 'the child runs');
      same(
        created,
        [
          'after_thread_created of the thread itself',
          'after_thread_created of the thread itself',
          'after_subagent_created of its child',
        ],
        'the hooks of creation, in order',
      );
      same(order.at(3), 'the child runs', 'what came behind them');
      same(
        [ids.size, ids.has(trial.threadId)],
        [2, true],
        'how many threads there were, with the parent among them',
      );
    },
  },
  {
    ...about,
    hooks: ['before_create_message'],
    id: 'subagents.scope_is_that_of_their_own_prompt',
    says: 'In a subagent the hooks of its own prompt run, not those of the parent’s.',
    async run({ open }) {
      const marking = (id: string): AnyHook =>
        on(
          'before_create_message',
          async (_, message) => ({ ...message, content: `${String(message.content)} (${id})` }),
          {
            id,
          },
        );
      const trial = await open(
        delegating({
          hooks: [marking('outer'), marking('inner')],
          promptHooks: ['outer'],
          subagent: { script: [{ text: 'Thought.' }], promptHooks: ['inner'] },
        }),
      );
      await trial.send('Go');
      const inside = ((await trial.subagents())[0] ?? []).map(writeLine);
      holds(inside.length > 0, 'expected the subagent to have messages');
      for (const line of inside) {
        contains(line, '(inner)', 'a message of the subagent');
        lacks(line, '(outer)', 'a message of the subagent');
      }
      same((await lines(trial))[0], 'user: Go (outer)', 'the first message of the parent');
    },
  },
  {
    ...about,
    hooks: ['before_store_tool_result'],
    id: 'subagents.result_passes_the_parents_hooks',
    says: 'The result of a subagent passes the hooks of a tool result in the parent.',
    async run({ open }) {
      const redact = on('before_store_tool_result', async (_, _call, result) => ({
        ...result,
        result: String(result.result).replace('Thought', '***'),
      }));
      const trial = await open(delegating({ hooks: [redact], promptHooks: [redact.id] }));
      await trial.send('Go');
      same((await lines(trial))[2], 'tool: ***.', 'the stored result of the call');
      lacks(sentText(trial), 'Thought', 'what the parent’s model was sent');
    },
  },
];

const policies: readonly Case[] = [
  {
    ...withPolicies,
    hooks: ['before_create_message'],
    id: 'subagents.policies_see_every_message',
    says: 'A policy sees every message of a subagent, its first one too, though no prompt names it.',
    async run({ open }) {
      const redact = on('before_create_message', async (_, message) =>
        withText(message, (text) => text.replaceAll('marker', '***')),
      );
      const script = [asks(makeCall('delegate', { task: 'Think of the marker.' }))];
      const subagent = { script: [{ text: 'The marker is fine.' }], promptHooks: [] };
      const trial = await open({ policies: [redact], promptHooks: [], script, subagent });
      await trial.send('Go');
      const inside = ((await trial.subagents())[0] ?? []).map(writeLine).join(' | ');
      contains(inside, '***', 'the messages of the subagent');
      lacks(inside, 'marker', 'the messages of the subagent');
      lacks((await lines(trial)).join(' | '), 'marker', 'the messages of the parent');
    },
  },
  {
    ...withPolicies,
    needs: ['subagents', 'policies', 'control'],
    hooks: ['before_tool_call'],
    id: 'subagents.policies_judge_their_tools',
    says: 'A policy denies a tool in a subagent as it does in the parent, and the subagent goes on.',
    async run({ open }) {
      const tool = watchedTool();
      const deny = on('before_tool_call', async () => ({ decision: 'deny', reason: 'not here' }), {
        match: 'act',
      });
      const subagent = { script: [asks(makeCall('act')), { text: 'I could not.' }], promptHooks: [] };
      const trial = await open(delegating({ policies: [deny], tools: [tool], subagent }));
      await trial.send('Go');
      same(tool.ran.length, 0, 'how often the denied tool ran');
      const inside = ((await trial.subagents())[0] ?? []).map(writeLine).join(' | ');
      contains(inside, 'not here', 'the messages of the subagent');
      same((await lines(trial))[2], 'tool: I could not.', 'the stored result of the parent’s call');
    },
  },
  {
    ...withPolicies,
    hooks: ['filter_messages', 'prefilter_llm_history'],
    id: 'subagents.policies_see_what_their_model_is_sent',
    says: 'The policies over a model’s context run in a subagent too.',
    async run({ open }) {
      const seen: string[] = [];
      const look = (name: 'filter_messages' | 'prefilter_llm_history'): AnyHook =>
        onUntyped(name, async (state: ThreadState, messages: unknown[]) => {
          seen.push(`${name} ${JSON.stringify(messages).includes('Think.') ? state.threadId : ''}`);
          return messages;
        });
      const trial = await open(
        delegating({ policies: [look('filter_messages'), look('prefilter_llm_history')] }),
      );
      await trial.send('Go');
      for (const name of ['filter_messages', 'prefilter_llm_history']) {
        const inChild = seen.filter(
          (line) =>
            line.startsWith(`${name} `) && line !== `${name} ` && line !== `${name} ${trial.threadId}`,
        );
        same(inChild.length, 1, `how often ${name} ran in the subagent`);
      }
    },
  },
];

/** Agents that are tools (design §7.2). */
export const subagentCases: readonly Case[] = [...inScope, ...policies, ...subagentFailureCases];
