import { defineHook } from '@spec/hooks';
import { AIMessage, createAgent, fakeModel, HumanMessage } from 'langchain';
import { expect, test } from 'vitest';
import { hooksMiddleware } from '../src/index.ts';

const broken = (id: string) => ({ type: 'invalid_tool_call', id, name: 'pay', args: '{"card' }) as const;
const answer = new AIMessage({ content: 'So.', invalid_tool_calls: [broken('call_1'), broken('call_2')] });

async function ask(keep: (id: string) => boolean): Promise<unknown> {
  const strip = defineHook({
    hook: 'before_create_message',
    id: 'strip',
    execute: async (_state, message) => {
      if (typeof message.tool_calls !== 'string') return message;
      const calls = JSON.parse(message.tool_calls) as { readonly id: string }[];
      return { ...message, tool_calls: JSON.stringify(calls.filter(({ id }) => keep(id))) };
    },
  });
  const middleware = [hooksMiddleware({ hooks: [strip], allowPartial: ['strip'] })];
  const agent = createAgent({ model: fakeModel().respond(answer), tools: [], middleware });
  const { messages } = await agent.invoke({ messages: [new HumanMessage('hi')] });
  return (messages.at(-1) as AIMessage).invalid_tool_calls?.map(({ id }) => id);
}

test.each([
  ['none', () => false, []],
  ['one', (id: string) => id === 'call_1', ['call_1']],
  ['all', () => true, ['call_1', 'call_2']],
] as const)('of broken calls beside a text, %s is left where hooks leave it', async (_what, keep, left) => {
  expect(await ask(keep)).toEqual(left);
});
