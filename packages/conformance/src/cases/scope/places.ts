import type { AnyHook } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { Ability, FullTrial, Setup } from '../../subject.ts';
import { calling, on, scoped, tool } from '../kit/index.ts';
import { hookAt, type Place, places } from '../kit/places.ts';
import { scopeFamilyCases } from './families.ts';

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

/** Throws unless these hooks run under a setup. That none does tells something where they run when they are named. */
async function runUnder(
  setup: Setup,
  expected: readonly string[],
  run: (setup: Setup) => Promise<string[]>,
): Promise<void> {
  if (expected.length === 0)
    same(await run({ promptHooks: ['prompts'] }), ['prompts'], 'the hooks that ran when named');
  same(await run(setup), expected, 'the hooks that ran');
}

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
      run: (bench) => runUnder(setup, runs, (under) => ranAt(bench, place, under)),
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
      run: (bench) => runUnder(setup, runs, (under) => whoSaw(bench, origin, under)),
    }),
  ),
);

/** The scope in every place, for every message, in subagents and on both sides. */
export const scopePlaceCases: readonly Case[] = [
  ...everyHookCases,
  ...everyPolicyCases,
  ...everyMessageCases,
  ...scopeFamilyCases,
];
