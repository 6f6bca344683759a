import type { AnyHook } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { Setup } from '../../subject.ts';
import { happened, on, rejects } from '../kit/index.ts';

/** Hooks that note the id under which they saw the user's message. */
export function noters(ran: string[], ...ids: readonly string[]): AnyHook[] {
  return ids.map((id) =>
    on(
      'before_create_message',
      async (_, message) => {
        if (message.role === 'user') ran.push(id);
        return message;
      },
      { id },
    ),
  );
}

interface Declared {
  readonly prompt?: readonly string[];
  readonly agent?: readonly string[];
}

/** Which of the hooks `one`, `two` and `three` saw a user message, with these lists. */
async function ranWith(
  { open }: TestBench,
  { prompt, agent }: Declared,
  more: Setup = {},
): Promise<string[]> {
  const ran: string[] = [];
  const trial = await open({
    hooks: noters(ran, 'one', 'two', 'three'),
    ...(prompt === undefined ? {} : { promptHooks: prompt }),
    ...(agent === undefined ? {} : { agentHooks: agent }),
    ...more,
  });
  await trial.send('hello');
  return ran;
}

interface Rule {
  readonly what: string;
  readonly says: string;
  readonly covers: string;
  readonly lists: Declared;
  readonly runs: readonly string[];
}

const rules: readonly Rule[] = [
  {
    what: 'the_prompts_list_takes_the_agents_place',
    says: 'Where the prompt declares hooks, only those run: the agent’s do not.',
    covers: '1.3.prompt',
    lists: { prompt: ['one'], agent: ['two', 'three'] },
    runs: ['one'],
  },
  {
    what: 'an_empty_list_of_the_prompt_is_an_answer',
    says: 'A prompt with an empty list of hooks has declared it: no hooks run, not the agent’s.',
    covers: '1.3.prompt',
    lists: { prompt: [], agent: ['one', 'two'] },
    runs: [],
  },
  {
    what: 'without_a_list_of_the_prompt_the_agents_is_used',
    says: 'Where the prompt has no hooks property, the agent’s hooks run.',
    covers: '1.3.agent',
    lists: { agent: ['two', 'one'] },
    runs: ['two', 'one'],
  },
  {
    what: 'without_any_list_no_hooks_run',
    says: 'Where neither the prompt nor the agent declares hooks, none run.',
    covers: '1.3.none',
    lists: {},
    runs: [],
  },
  {
    what: 'an_empty_list_of_the_agent_is_none',
    says: 'An agent with an empty list of hooks, whose prompt has none, has no hooks.',
    covers: '1.3.agent',
    lists: { agent: [] },
    runs: [],
  },
  {
    what: 'a_prompts_list_needs_no_agents',
    says: 'The prompt’s hooks run where the agent declares none.',
    covers: '1.3.prompt',
    lists: { prompt: ['three', 'one'] },
    runs: ['three', 'one'],
  },
  {
    what: 'registered_hooks_that_nobody_names_do_not_run',
    says: 'Hooks are scoped to prompts and agents rather than running globally.',
    covers: '1.3.scoped',
    lists: { prompt: ['two'], agent: [] },
    runs: ['two'],
  },
];

const ruleCases = rules.map(
  ({ what, says, covers, lists, runs }): Case => ({
    id: `scope.${what}`,
    section: 'spec 1.3',
    level: 'MUST',
    says,
    covers: [covers],
    async run(bench) {
      if (runs.length === 0)
        happened((await ranWith(bench, { prompt: ['one'] })).length, 'a run of a hook that is named');
      same(await ranWith(bench, lists), runs, 'the hooks that ran');
    },
  }),
);

/** Policies (design §5): they run everywhere, first. */
const policyCases: readonly Case[] = [
  ...(
    [
      ['an_empty_list', { prompt: [] }, ['policy']],
      ['a_list', { prompt: ['one'] }, ['policy', 'one']],
      ['no_list', {}, ['policy']],
      ['an_agents_list', { agent: ['two', 'one'] }, ['policy', 'two', 'one']],
    ] as const
  ).map(
    ([name, lists, runs]): Case => ({
      id: `scope.policies_run_first_with_${name}`,
      section: 'design 5',
      level: 'ours',
      says: 'Policies run on every thread, before the scoped hooks, whatever the lists say.',
      needs: ['policies'],
      async run(bench) {
        const ran: string[] = [];
        const [policy, ...hooks] = noters(ran, 'policy', 'one', 'two') as [AnyHook, ...AnyHook[]];
        await ranWith(bench, lists, { hooks, policies: [policy] });
        same(ran, runs, 'the hooks that ran');
      },
    }),
  ),
  {
    id: 'scope.a_policy_that_is_named_too_runs_once',
    section: 'design 5',
    level: 'ours',
    says: 'A hook that is a policy, and registered and named as well, runs once.',
    needs: ['policies'],
    async run(bench) {
      const ran: string[] = [];
      const hooks = noters(ran, 'one', 'two');
      await ranWith(bench, { prompt: ['one', 'two'] }, { hooks, policies: hooks.slice(1) });
      same(ran, ['two', 'one'], 'the hooks that ran');
    },
  },
  {
    id: 'scope.priority_orders_policies_and_scoped_hooks_apart',
    section: 'design 5',
    level: 'ours',
    says: 'Higher priority runs first, equal ones as they are named; a scoped hook never comes before a policy.',
    needs: ['policies'],
    async run(bench) {
      const ran: string[] = [];
      const note = (id: string, priority: number): AnyHook =>
        on(
          'before_create_message',
          async (_, message) => {
            if (message.role === 'user') ran.push(id);
            return message;
          },
          { id, priority },
        );
      const hooks = [note('low', -1), note('first', 0), note('second', 0), note('high', 5)];
      const prompt = ['low', 'second', 'first', 'high'];
      const policies = [note('policy', -9), note('urgent_policy', 1)];
      await ranWith(bench, { prompt }, { hooks, policies });
      const expected = ['urgent_policy', 'policy', 'high', 'second', 'first', 'low'];
      same(ran, expected, 'the hooks that ran');
    },
  },
];

/** Names that must be refused, when the runtime starts (design §5). */
const refusalCases: readonly Case[] = (
  [
    ['a_prompt', 'names an id that nobody registered', { promptHooks: ['one', 'nobody'] }],
    ['an_agent', 'names an id that nobody registered', { agentHooks: ['nobody'] }],
    [
      'an_agent_behind_a_prompt',
      'names an id that nobody registered, though its prompt has a list',
      { promptHooks: [], agentHooks: ['nobody'] },
    ],
  ] as const
).map(
  ([who, does, lists]): Case => ({
    id: `scope.${who}_with_an_unknown_id_is_refused`,
    section: 'design 5',
    level: 'ours',
    says: `${who.replaceAll('_', ' ').replace(/^a/, 'A')} that ${does} is refused, not passed over.`,
    async run({ open }) {
      await rejects(open({ hooks: noters([], 'one'), ...lists }), 'naming an unknown id');
    },
  }),
);

/** A list as a program without types could give it. */
const untyped = (list: unknown): string[] => list as string[];

const listCases: readonly Case[] = [
  {
    id: 'scope.an_id_twice_in_a_list_is_refused',
    section: 'design 5',
    level: 'ours',
    says: 'A list that names a hook twice is refused.',
    async run({ open }) {
      const hooks = noters([], 'one');
      await rejects(open({ hooks, promptHooks: ['one', 'one'] }), 'naming a hook twice');
    },
  },
  {
    id: 'scope.a_list_that_is_none_is_refused',
    section: 'design 5',
    level: 'ours',
    says: 'What is declared as hooks must be a list of ids: a single id is none.',
    async run({ open }) {
      const hooks = noters([], 'one');
      await rejects(open({ hooks, promptHooks: untyped('one') }), 'a text in the place of a list');
      await rejects(open({ hooks, promptHooks: untyped(hooks) }), 'hooks in the place of ids');
    },
  },
];

/** Which hooks apply (specification §1.3, design §5). */
export const scopeCases: readonly Case[] = [...ruleCases, ...policyCases, ...refusalCases, ...listCases];
