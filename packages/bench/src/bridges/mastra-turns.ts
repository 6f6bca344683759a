import { Agent, type AgentConfig } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { createHooks } from '@spec/mastra';
import { z } from 'zod';
import { answer, found, fourHooks, order, prompt, system, type Turns, toolName, work } from './workload.ts';

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** It asks for the order where the last message is the user's. */
const model = {
  ...{ specificationVersion: 'v2', provider: 'bench', modelId: 'bench', supportedUrls: {} },
  async doGenerate({ prompt: messages }: { readonly prompt: readonly { readonly role: string }[] }) {
    const call = { type: 'tool-call', toolCallId: 'call_1', toolName, input: JSON.stringify(order) };
    const isFirst = messages.at(-1)?.role === 'user';
    const content = isFirst ? [call] : [{ type: 'text', text: answer }];
    return { usage, warnings: [], content, finishReason: isFirst ? 'tool-calls' : 'stop' };
  },
  doStream: () => Promise.reject(new Error('not streamed')),
} as unknown as AgentConfig['model'];

const options = {
  id: toolName,
  description: 'Finds an order.',
  inputSchema: z.object({ order: z.number() }),
};
const findOrder = createTool({ ...options, execute: async () => found });
const guarded = createTool({
  ...options,
  async execute(input) {
    if (work.isForbidden(input)) throw new Error('denied');
    return work.hideMails(found);
  },
});

export function makeMastraTurns(): Turns {
  const given = { id: 'clerk', name: 'clerk', instructions: system, model };
  const tools = { [toolName]: findOrder };
  const hook = (hooks: ReturnType<typeof createHooks>): Agent =>
    new Agent({ ...given, tools: hooks.wrapTools(tools), inputProcessors: [hooks.processor] }) as Agent;
  const hooked = hook(createHooks({ hooks: fourHooks }));
  const unhooked = hook(createHooks({}));
  const alone = new Agent({ ...given, tools }) as Agent;
  const byHand = new Agent({
    ...{ ...given, instructions: work.addToSystem(system), tools: { [toolName]: guarded } },
  }) as Agent;
  return {
    withHooks: async () => (await hooked.generate(prompt)).text,
    async byHand() {
      if (work.isRefused(prompt)) throw new Error('denied');
      return (await byHand.generate(prompt)).text;
    },
    withoutHooks: async () => (await unhooked.generate(prompt)).text,
    alone: async () => (await alone.generate(prompt)).text,
  };
}
