import type { Bench } from '../bench.ts';
import { measure, warmTurns } from '../measure.ts';
import { answer, type Turns } from './workload.ts';

const OURS = 'a turn with four hooks';
const BY_HAND = 'the same work by hand';
const NONE = 'a turn with a bridge and no hook';
const ALONE = 'a turn of the framework alone';

interface Bridge {
  readonly name: string;
  readonly framework: string;
  /** How much a turn with hooks may take of one by hand. */
  readonly atMost: number;
  make(): Promise<Turns>;
}

function makeBench({ name, framework, atMost, make }: Bridge): Bench {
  return {
    name,
    about: `a turn of ${framework} in which a model that answers at once calls a tool and reads its result`,
    unit: 'ns',
    comparisons: [
      { of: OURS, against: BY_HAND, atMost },
      { of: NONE, against: ALONE, atMost: 1.05 },
    ],
    async run() {
      const { withHooks, byHand, withoutHooks, alone } = await make();
      const turns = { [OURS]: withHooks, [BY_HAND]: byHand, [NONE]: withoutHooks, [ALONE]: alone };
      for (const [way, turn] of Object.entries(turns)) await checkAnswer(way, turn);
      return measure(turns, { batch: 5, time: 60, warmUp: warmTurns });
    },
  };
}

async function checkAnswer(way: string, turn: () => Promise<string>): Promise<void> {
  const said = await turn();
  if (said !== answer) throw new Error(`${way} ended with: ${said}`);
}

/** Turns in the loops of frameworks: with hooks by a bridge, and with what they do written by hand. */
export const bridgeBenches: readonly Bench[] = [
  makeBench({
    ...{ name: 'bridge-ai-sdk', framework: 'AI SDK 7', atMost: 1.15 },
    make: async () => (await import('./ai-sdk-turns.ts')).makeAiSdkTurns(),
  }),
  makeBench({
    ...{ name: 'bridge-langchain', framework: 'LangChain', atMost: 1.15 },
    make: async () => (await import('./langchain-turns.ts')).makeLangchainTurns(),
  }),
  makeBench({
    ...{ name: 'bridge-openai-agents', framework: 'the OpenAI Agents SDK', atMost: 1.2 },
    make: async () => (await import('./openai-agents-turns.ts')).makeOpenaiAgentsTurns(),
  }),
  makeBench({
    ...{ name: 'bridge-mastra', framework: 'Mastra', atMost: 1.2 },
    make: async () => (await import('./mastra-turns.ts')).makeMastraTurns(),
  }),
];
