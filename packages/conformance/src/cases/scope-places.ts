import type { AnyHook } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../case.ts';
import type { Ability, FullTrial, Setup } from '../subject.ts';
import { calling, on, rejects, scoped, tool } from './kit.ts';
import { delegating, hookAt, type Place, places } from './places.ts';
import { noters } from './scope.ts';

/** A hook that notes that it ran at a place. */
function noter(place: Place, ran: string[], id: string): AnyHook {
  return hookAt(place, {
    id,
    run(args) {
      ran.push(id);
      return args.at(-1);
    },
  });
}

/** The ids of the hooks that ran at a place, of one that the prompt names and one that the agent names. */
async function ranAt({ open }: TestBench, place: Place, lists: Setup): Promise<string[]> {
  const ran: string[] = [];
  const hooks = ['prompts', 'agents'].map((id) => noter(place, ran, id));
  const trial = await open({ ...place.setup, hooks, ...lists });
  await place.reach(trial);
  return ran;
}

const lists: readonly (readonly [string, string, Setup, readonly string[]])[] = [
  [
    'is_scoped_to_the_prompt',
    'of the prompt’s and the agent’s, the prompt’s runs',
    { promptHooks: ['prompts'], agentHooks: ['agents'] },
    ['prompts'],
  ],
  [
    'is_scoped_to_the_agent',
    'without a list of the prompt, the agent’s runs',
    { agentHooks: ['agents'] },
    ['agents'],
  ],
  [
    'is_turned_off_by_an_empty_list',
    'with an empty list of the prompt, none runs',
    { promptHooks: [], agentHooks: ['agents'] },
    [],
  ],
];

/** A policy runs in every place, before the hook that the prompt names. */
const everyPolicyCases: readonly Case[] = places.map((place): Case => {
  const { hook, needs = [] } = place;
  return {
    id: `${hook}.runs_as_a_policy_first`,
    section: 'design 5',
    level: 'ours',
    says: 'A policy of this type runs too, before the hook that the prompt names.',
    needs: [...needs, 'policies'],
    hooks: [hook],
    async run({ open }) {
      const ran: string[] = [];
      const policies = [noter(place, ran, 'policy')];
      const trial = await open(scoped([noter(place, ran, 'named')], { ...place.setup, policies }));
      await place.reach(trial);
      same(ran, ['policy', 'named'], 'the hooks that ran');
    },
  };
});

const sentences: readonly (readonly string[])[] = [['1.3.prompt'], ['1.3.agent'], ['1.3.prompt']];

/** Every hook type is scoped the same way. */
const everyHookCases: readonly Case[] = places.flatMap((place) =>
  lists.map(([what, says, setup, runs], i): Case => {
    const { hook, needs = [] } = place;
    return {
      id: `${hook}.${what}`,
      section: 'spec 1.3',
      level: 'MUST',
      says: `Hooks of this type are scoped: ${says}.`,
      covers: sentences[i] ?? [],
      needs,
      hooks: [hook],
      async run(bench) {
        same(await ranAt(bench, place, setup), runs, 'the hooks that ran');
      },
    };
  }),
);

/** A way in which a message comes into being. */
interface Origin {
  readonly name: string;
  readonly says: string;
  readonly needs?: readonly Ability[];
  readonly setup?: Setup;
  /** What makes the message, as `role: content`. */
  readonly line: string;
  make(trial: FullTrial): Promise<unknown>;
}

const send = (trial: FullTrial): Promise<unknown> => trial.send('hello');

const origins: readonly Origin[] = [
  { name: 'a_user_message', says: 'a message of the user', line: 'user: hello', make: send },
  {
    name: 'an_answer',
    says: 'an answer of the model',
    setup: { script: [{ text: 'hi' }] },
    line: 'assistant: hi',
    make: send,
  },
  {
    name: 'a_tool_result',
    says: 'the result of a tool',
    setup: { tools: [tool('act', 'acted')], script: calling('act') },
    line: 'tool: acted',
    make: send,
  },
  {
    name: 'a_message_injected_at_rest',
    says: 'a message that is injected while nothing runs',
    needs: ['inject'],
    line: 'user: injected',
    make: (trial) => trial.inject({ role: 'user', content: 'injected' }),
  },
  {
    name: 'a_queued_message',
    says: 'a message that is queued',
    needs: ['queue'],
    line: 'user: queued',
    async make(trial) {
      await trial.queue({ role: 'user', content: 'queued' });
      await trial.send('hello');
    },
  },
];

async function whoSaw({ open }: TestBench, origin: Origin, setup: Setup): Promise<string[]> {
  const saw: string[] = [];
  const notes = (id: string): AnyHook =>
    on(
      'before_create_message',
      async (_, message) => {
        if (`${String(message.role)}: ${String(message.content)}` === origin.line) saw.push(id);
        return message;
      },
      { id },
    );
  const trial = await open({ ...origin.setup, hooks: [notes('prompts'), notes('agents')], ...setup });
  await origin.make(trial);
  return saw;
}

/** The scope holds for every message, whoever writes it (design §5). */
const everyMessageCases: readonly Case[] = origins.flatMap((origin) =>
  lists.map(
    ([what, says, setup, runs], i): Case => ({
      id: `scope.${origin.name}_${what}`,
      section: 'spec 1.3',
      level: 'MUST',
      says: `For ${origin.says}: ${says}, once.`,
      covers: sentences[i] ?? [],
      needs: origin.needs ?? [],
      hooks: ['before_create_message'],
      async run(bench) {
        same(await whoSaw(bench, origin, setup), runs, `the hooks that saw "${origin.line}"`);
      },
    }),
  ),
);

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

/** The scope in every place, for every message, in subagents and on both sides. */
export const scopePlaceCases: readonly Case[] = [
  ...everyHookCases,
  ...everyPolicyCases,
  ...everyMessageCases,
  ...familyCases,
  ...sideCases,
];
