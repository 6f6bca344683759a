import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { ChatResult } from '@langchain/core/outputs';
import { hooksMiddleware } from '@spec/langchain';
import { AIMessage, type BaseMessage, createAgent, HumanMessage, tool } from 'langchain';
import { z } from 'zod';
import { answer, found, fourHooks, order, prompt, system, type Turns, toolName, work } from './workload.ts';

/** It asks for the order where the last message is the user's. */
class BenchModel extends BaseChatModel {
  _llmType(): string {
    return 'bench';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const call = { id: 'call_1', name: toolName, args: order, type: 'tool_call' } as const;
    const isFirst = messages.at(-1)?.type === 'human';
    const message = isFirst ? new AIMessage({ content: '', tool_calls: [call] }) : new AIMessage(answer);
    return { generations: [{ text: message.text, message }] };
  }
}

const model = new BenchModel({});
const schema = z.object({ order: z.number() });
const options = { name: toolName, description: 'Finds an order.', schema };
const findOrder = tool(async () => found, options);
const guarded = tool(async (input) => {
  if (work.isForbidden(input)) throw new Error('denied');
  return work.hideMails(found);
}, options);

export function makeLangchainTurns(): Turns {
  const given = { model, tools: [findOrder], systemPrompt: system };
  const hooked = createAgent({
    ...given,
    middleware: [hooksMiddleware({ hooks: fourHooks, allowPartial: ['refuse'] })],
  });
  const unhooked = createAgent({ ...given, middleware: [hooksMiddleware({})] });
  const alone = createAgent(given);
  const byHand = createAgent({ ...given, systemPrompt: work.addToSystem(system), tools: [guarded] });
  return {
    withHooks: () => ask(hooked),
    async byHand() {
      if (work.isRefused(prompt)) throw new Error('denied');
      return ask(byHand);
    },
    withoutHooks: () => ask(unhooked),
    alone: () => ask(alone),
  };
}

interface Agent {
  invoke(input: { messages: BaseMessage[] }): Promise<{ messages: BaseMessage[] }>;
}

async function ask(agent: unknown): Promise<string> {
  const { messages } = await (agent as Agent).invoke({ messages: [new HumanMessage(prompt)] });
  return messages.at(-1)?.text ?? '';
}
