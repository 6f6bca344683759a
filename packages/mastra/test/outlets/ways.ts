import { z } from 'zod';
import type { MastraOptions } from '../../src/index.ts';
import { type Bench, type Making, say } from './bench.ts';
import type { Step } from './loud-model.ts';
import { memory } from './options.ts';

/** A way of Mastra to a model, a tool or a conversation. */
export interface Way {
  readonly options?: Partial<MastraOptions>;
  /** Whether somebody traces it. */
  readonly hasSpans?: boolean;
  go(bench: Bench): Promise<unknown>;
}

/** An answer that calls something. */
export const stepThatCalls = (name: string, input: object): Step => ({
  text: say('answer'),
  call: { name, input },
});
const answer: readonly Step[] = [{ text: say('answer') }, { text: 'later' }];
export const calling: readonly Step[] = [
  stepThatCalls('look', { text: say('args') }),
  { text: say('answer') },
];

/** Asks twice. */
export const askTwice = (making: (bench: Bench) => Making, more: object = {}): Way => ({
  async go(bench) {
    const agent = bench.agent(making(bench));
    await bench.ask(agent, more);
    await bench.ask(agent);
  },
});

export const ways: Readonly<Record<string, Way>> = {
  'an answer and a later run': askTwice(() => ({ steps: answer })),
  'a call of a tool': askTwice(() => ({ steps: calling })),
  'a tool that fails': askTwice(() => ({
    steps: calling,
    execute: async () => {
      throw new Error(say('result'));
    },
  })),
  'a structured answer': askTwice(() => ({ steps: [{ text: JSON.stringify({ text: say('answer') }) }] }), {
    structuredOutput: { schema: z.object({ text: z.string() }) },
  }),
  'a model in the place of one that fails': askTwice((bench) => ({
    steps: answer,
    config: { model: [{ model: bench.model(answer), maxRetries: 0 }] } as Making['config'] & object,
  })),
  'messages of the option context': askTwice(() => ({ steps: answer }), {
    context: [{ role: 'user', content: say('later') }],
  }),
  'a title for the thread': askTwice(
    () => ({ steps: [...answer, ...answer].map(() => ({ text: say('answer') })) }),
    {
      memory: { ...memory, options: { generateTitle: true } },
    },
  ),
  'a tool that asks for approval': askTwice(() => ({ steps: calling }), { requireToolApproval: true }),
};
