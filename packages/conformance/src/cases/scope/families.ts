import type { AnyHook } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { Setup } from '../../subject.ts';
import { on, rejects } from '../kit/index.ts';
import { delegating } from '../kit/places.ts';
import { noters } from './index.ts';

/** Which hooks of a main agent, its subagent and the policies saw which user message. */
async function seenInFamily({ open }: TestBench, child: Setup, policies: boolean): Promise<string[]> {
  const saw: string[] = [];
  const notes = (id: string): AnyHook =>
    on(
      'before_create_message',
      async (_, message) => {
        if (message.role !== 'tool') saw.push(`${id} ${String(message.role)}: ${String(message.content)}`);
        return message;
      },
      { id },
    );
  const trial = await open({
    hooks: [notes('mine'), notes('childs')],
    ...(policies ? { policies: [notes('policy')] } : {}),
    promptHooks: policies ? [] : ['mine'],
    script: [{ text: 'Asking.', calls: delegating()[0]?.calls ?? [] }, { text: 'Done.' }],
    subagent: { ...child, script: [{ text: 'Thought.' }] },
  });
  await trial.send('go');
  return saw;
}

const mine = ['mine user: go', 'mine assistant: Asking.', 'mine assistant: Done.'];
const childs = ['childs user: think', 'childs assistant: Thought.'];
const inOrder = [...mine.slice(0, 2), ...childs, ...mine.slice(2)];

/** A subagent has a scope of its own; only policies are common to all (design §5, §7.2). */
const familyCases: readonly Case[] = [
  {
    id: 'scope.a_subagents_prompt_names_its_own_hooks',
    section: 'spec 1.3',
    level: 'MUST',
    says: 'In a subagent the hooks of its own prompt run, and its parent’s do not; in the parent the other way round.',
    covers: ['1.3.prompt'],
    needs: ['subagents'],
    async run(bench) {
      same(await seenInFamily(bench, { promptHooks: ['childs'] }, false), inOrder, 'what each hook saw');
    },
  },
  {
    id: 'scope.a_subagent_falls_back_to_its_own_agent',
    section: 'spec 1.3',
    level: 'MUST',
    says: 'A subagent whose prompt has no list has the hooks of its own agent.',
    covers: ['1.3.agent'],
    needs: ['subagents'],
    async run(bench) {
      same(await seenInFamily(bench, { agentHooks: ['childs'] }, false), inOrder, 'what each hook saw');
    },
  },
  {
    id: 'scope.a_subagent_does_not_inherit_hooks',
    section: 'spec 1.3',
    level: 'MUST',
    says: 'A subagent for which nothing is declared has no hooks.',
    covers: ['1.3.none'],
    needs: ['subagents'],
    async run(bench) {
      same(await seenInFamily(bench, {}, false), mine, 'what each hook saw');
    },
  },
  {
    id: 'scope.policies_run_in_subagents',
    section: 'design 5',
    level: 'ours',
    says: 'Policies run in subagents, whatever the subagent declares.',
    needs: ['subagents', 'policies'],
    async run(bench) {
      const expected = inOrder.map((line) => line.replace(/^\w+/, 'policy'));
      same(await seenInFamily(bench, { promptHooks: [] }, true), expected, 'what the policy saw');
    },
  },
  {
    id: 'scope.a_subagent_with_an_unknown_id_is_refused',
    section: 'design 5',
    level: 'ours',
    says: 'A subagent whose prompt names an id that nobody registered is refused when the runtime starts.',
    needs: ['subagents'],
    async run({ open }) {
      const hooks = noters([], 'one');
      await rejects(open({ hooks, subagent: { promptHooks: ['nobody'], script: [] } }), 'an unknown id');
    },
  },
];

/** The active prompt of an agent with two sides is that of the side whose go it is. */
const sideCases: readonly Case[] = [
  {
    id: 'scope.each_side_has_the_hooks_of_its_prompt',
    section: 'spec 1.3',
    level: 'MUST',
    says: 'The hooks of the active prompt run: on each answer those of the side that gave it.',
    covers: ['1.3.prompt'],
    needs: ['dual'],
    async run({ open }) {
      const ran: string[] = [];
      const notes = (id: string): AnyHook =>
        on(
          'before_create_message',
          async ({ execution }, message) => {
            if (message.role === 'assistant')
              ran.push(`${id} ${String(message.content)} ${execution.currentSide}`);
            return message;
          },
          { id },
        );
      const trial = await open({
        hooks: [notes('of_a'), notes('of_b')],
        promptHooks: ['of_a'],
        script: [{ text: 'a1' }],
        otherSide: { promptHooks: ['of_b'], script: [{ text: 'b1' }] },
      });
      await trial.send('talk');
      same(ran, ['of_a a1 a', 'of_b b1 b'], 'which hook saw which answer, and on which side');
    },
  },
];

/** The scope in subagents and on both sides. */
export const scopeFamilyCases: readonly Case[] = [...familyCases, ...sideCases];
