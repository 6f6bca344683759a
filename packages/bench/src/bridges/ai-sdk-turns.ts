import type { LanguageModelV3, LanguageModelV3Usage } from '@ai-sdk/provider';
import { createHooks } from '@spec/ai-sdk';
import { generateText, stepCountIs, tool } from 'ai-v7';
import { z } from 'zod';
import { answer, found, fourHooks, order, prompt, system, type Turns, toolName, work } from './workload.ts';

const usage: LanguageModelV3Usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** It asks for the order where the last message is the user's. */
const model: LanguageModelV3 = {
  ...({ specificationVersion: 'v3', provider: 'bench', modelId: 'bench', supportedUrls: {} } as const),
  async doGenerate({ prompt: messages }) {
    const call = { type: 'tool-call', toolCallId: 'call_1', toolName, input: JSON.stringify(order) } as const;
    const isFirst = messages.at(-1)?.role === 'user';
    return {
      ...{ usage, warnings: [], content: isFirst ? [call] : [{ type: 'text', text: answer }] },
      finishReason: { unified: isFirst ? 'tool-calls' : 'stop', raw: undefined },
    };
  },
  doStream: () => Promise.reject(new Error('not streamed')),
};

const inputSchema = z.object({ order: z.number() });
const tools = { [toolName]: tool({ inputSchema, execute: async () => found }) };
const guarded = {
  [toolName]: tool({
    inputSchema,
    execute: async (input) => {
      if (work.isForbidden(input)) throw new Error('denied');
      return work.hideMails(found);
    },
  }),
};
const given = { model, prompt, stopWhen: stepCountIs(5) };

export function makeAiSdkTurns(): Turns {
  const hooks = createHooks({ hooks: fourHooks });
  const none = createHooks({});
  return {
    withHooks: async () => (await generateText(hooks.hooked({ ...given, system, tools }))).text,
    async byHand() {
      if (work.isRefused(prompt)) throw new Error('denied');
      return (await generateText({ ...given, system: work.addToSystem(system), tools: guarded })).text;
    },
    withoutHooks: async () => (await generateText(none.hooked({ ...given, system, tools }))).text,
    alone: async () => (await generateText({ ...given, system, tools })).text,
  };
}
