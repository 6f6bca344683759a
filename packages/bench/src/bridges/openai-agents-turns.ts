import {
  Agent,
  type Model,
  type ModelResponse,
  Runner,
  setTraceProcessors,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents';
import { createHooks } from '@spec/openai-agents';
import { z } from 'zod';
import { answer, found, fourHooks, order, prompt, system, type Turns, toolName, work } from './workload.ts';

/** It asks for the order where nothing but the user's message is there. */
const model: Model = {
  async getResponse({ input }): Promise<ModelResponse> {
    const isFirst = typeof input === 'string' || input.length === 1;
    const text = { type: 'output_text', text: answer } as const;
    const said = { type: 'message', role: 'assistant', status: 'completed', content: [text] } as const;
    const call = { type: 'function_call', callId: 'call_1', name: toolName } as const;
    const output = isFirst ? { ...call, arguments: JSON.stringify(order) } : said;
    return { usage: new Usage(), output: [output as ModelResponse['output'][number]] };
  },
  getStreamedResponse() {
    throw new Error('not streamed');
  },
};

const options = {
  name: toolName,
  description: 'Finds an order.',
  parameters: z.object({ order: z.number() }),
};
const findOrder = tool({ ...options, execute: async () => found });
const guarded = tool({
  ...options,
  async execute(input) {
    if (work.isForbidden(input)) throw new Error('denied');
    return work.hideMails(found);
  },
});

export function makeOpenaiAgentsTurns(): Turns {
  setTraceProcessors([]);
  setTracingDisabled(true);
  const runner = new Runner();
  const agent = new Agent({ name: 'clerk', instructions: system, model, tools: [findOrder] });
  const byHand = new Agent({
    ...{ name: 'clerk', instructions: work.addToSystem(system), model, tools: [guarded] },
  });
  const hooks = createHooks({ hooks: fourHooks });
  const none = createHooks({});
  return {
    withHooks: async () => (await hooks.run(agent, prompt)).finalOutput ?? '',
    async byHand() {
      if (work.isRefused(prompt)) throw new Error('denied');
      return (await runner.run(byHand, prompt)).finalOutput ?? '';
    },
    withoutHooks: async () => (await none.run(agent, prompt)).finalOutput ?? '',
    alone: async () => (await runner.run(agent, prompt)).finalOutput ?? '',
  };
}
