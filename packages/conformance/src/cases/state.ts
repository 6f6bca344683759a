import type { ThreadState } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../case.ts';
import { pass } from './kit/at-place.ts';
import { calling, on, scoped, tool, watch } from './kit/index.ts';
import { type Place, places } from './kit/places.ts';

/** What each property of a state must be (specification §2.1, §2.2); nothing where it is. */
function brokenState(state: ThreadState): string | undefined {
  const { threadId, agentId, userId, execution } = state;
  if (typeof threadId !== 'string' || threadId === '') return 'threadId must be a text';
  if (typeof agentId !== 'string' || agentId === '') return 'agentId must be a text';
  if (userId !== null && typeof userId !== 'string') return 'userId must be a text or null';
  if (typeof execution !== 'object' || execution === null) return 'execution must always be there';
  const { flowId, currentSide, stepCount, stopped, abortSignal } = execution;
  if (typeof flowId !== 'string' || flowId === '') return 'execution.flowId must be a text';
  if (currentSide !== 'a' && currentSide !== 'b') return "execution.currentSide must be 'a' or 'b'";
  if (!Number.isInteger(stepCount) || stepCount < 0) return 'execution.stepCount must be a count';
  if (typeof stopped !== 'boolean') return 'execution.stopped must be true or false';
  return abortSignal instanceof AbortSignal ? undefined : 'execution.abortSignal must be an AbortSignal';
}

function stateAt(place: Place): Case {
  const { hook, needs = [] } = place;
  return {
    id: `${hook}.gets_the_state_first`,
    section: 'spec 2',
    level: 'MUST',
    says: 'The hook’s first argument is the state of its thread, with its identity and its execution.',
    covers: ['2.1.state', '2.2.execution'],
    needs,
    hooks: [hook],
    async run(bench) {
      const broken: unknown[] = [];
      const ids: string[] = [];
      const trial = await pass(bench, place, [
        {
          id: 'looks',
          run(args, state) {
            broken.push(brokenState(state));
            ids.push(state.threadId);
            return args.at(-1);
          },
        },
      ]);
      same(broken, [undefined], 'what is wrong with the state, in each run of the hook');
      same(ids, [trial.threadId], 'the thread of the state');
    },
  };
}

const acting = { tools: [tool('act', 'acted')], script: calling('act') };

const executionCases: readonly Case[] = [
  {
    id: 'state.step_count_counts_model_calls',
    section: 'spec 2.2',
    level: 'MUST',
    says: 'The step count, stepCount, is the number of LLM cycles: it grows by one from one request of a turn to the next.',
    covers: ['2.2.execution'],
    hooks: ['filter_messages'],
    async run({ open }) {
      const counts: number[] = [];
      const hook = watch('filter_messages', ({ execution }) => counts.push(execution.stepCount));
      await (await open(scoped([hook], acting))).send('go');
      same(
        counts.map((count) => count - (counts[0] ?? 0)),
        [0, 1],
        'the step count, from the first step on',
      );
    },
  },
  {
    id: 'state.a_turn_is_one_flow',
    section: 'spec 2.2',
    level: 'MUST',
    says: 'All hooks of a turn are in one flow.',
    covers: ['2.2.execution'],
    hooks: ['filter_messages', 'prefilter_llm_history'],
    async run({ open }) {
      const flows: string[] = [];
      const hook = watch('filter_messages', ({ execution }) => flows.push(execution.flowId));
      const other = watch('prefilter_llm_history', ({ execution }) => flows.push(execution.flowId));
      const trial = await open(scoped([hook, other], acting));
      await trial.send('go');
      same(flows.length, 4, 'how many hooks ran');
      same(new Set(flows).size, 1, 'how many flows the four hooks of a turn were in');
    },
  },
  {
    id: 'state.an_agent_without_sides_is_on_side_a',
    section: 'spec 2.2',
    level: 'MUST',
    says: 'The side, currentSide, is the side that is executing: a, where there is but one.',
    covers: ['2.2.execution'],
    hooks: ['after_create_message'],
    async run({ open }) {
      const sides: string[] = [];
      const hook = watch('after_create_message', ({ execution }) => sides.push(execution.currentSide));
      await (await open(scoped([hook], { script: [{ text: 'hi' }] }))).send('hello');
      same(sides, ['a', 'a'], 'the side of each message');
    },
  },
  {
    id: 'state.nothing_is_stopped_while_a_turn_runs',
    section: 'spec 2.2',
    level: 'MUST',
    says: 'In a turn that runs, stopped is false and the abort signal has not fired.',
    covers: ['2.2.execution'],
    hooks: ['filter_messages'],
    async run({ open }) {
      const seen: unknown[] = [];
      const hook = watch('filter_messages', ({ execution }) =>
        seen.push([execution.stopped, execution.abortSignal.aborted]),
      );
      await (await open(scoped([hook]))).send('hello');
      same(seen, [[false, false]], 'whether it was stopped, and whether it was aborted');
    },
  },
  {
    id: 'state.reads_the_thread_and_its_agent',
    section: 'spec 2.3',
    level: 'MUST',
    says: 'A hook can read the messages of its thread and load its agent, as the example of §2.3 does.',
    covers: ['2.1.state'],
    hooks: ['filter_messages'],
    async run({ open }) {
      let agent: unknown;
      let read: string[] = [];
      const hook = on('filter_messages', async (state, messages) => {
        agent = await state.loadAgent(state.agentId);
        read = (await state.getMessages()).map(({ role, content }) => `${role}: ${content}`);
        return messages;
      });
      await (await open(scoped([hook]))).send('hello');
      holds(agent !== null && agent !== undefined, 'expected the thread’s own agent to be found');
      same(read, ['user: hello'], 'the messages that the hook read');
    },
  },
];

/** What a hook is told of where it runs (specification §2). */
export const stateCases: readonly Case[] = [...places.map(stateAt), ...executionCases];
