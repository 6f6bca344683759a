import { Command, MemorySaver } from '@langchain/langgraph';
import { defineHook } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import {
  type AgentMiddleware,
  AIMessage,
  createAgent,
  fakeModel,
  HumanMessage,
  humanInTheLoopMiddleware,
  tool,
} from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hooksMiddleware } from '../src/index.ts';

const config = { configurable: { thread_id: 'chat-1' } };
const reject = new Command({
  resume: { decisions: [{ type: 'reject', message: 'Not with card 4111111111111111.' }] },
});
const say = (text: string) => ({ messages: [new HumanMessage(text)] });

const mask = defineHook({
  hook: 'before_create_message',
  id: 'mask',
  execute: async (_state, message) => ({
    ...message,
    content: message.content?.replaceAll(/\d+/g, '#') ?? null,
  }),
});

/** Agents that share a checkpointer and a store, as processes do: one whenever it is asked for. */
function makeProcesses(store?: Store) {
  const checkpointer = new MemorySaver();
  const make = (name: string) => tool(async () => 'done', { name, schema: z.object({}) });
  const tools = [make('look_up'), make('pay')];
  const ask = humanInTheLoopMiddleware({ interruptOn: { pay: true } } as never) as AgentMiddleware;
  return (...script: readonly string[]) => {
    const model = fakeModel();
    for (const name of script)
      if (name === 'done') model.respond(new AIMessage(name));
      else model.respondWithTools([{ id: 'call_1', name, args: {} }]);
    const hooks = {
      hooks: [mask],
      allowPartial: ['mask'],
      ...(store === undefined ? {} : { store }),
    } as const;
    const agent = createAgent({
      model,
      tools,
      checkpointer,
      middleware: [ask, hooksMiddleware(hooks)] as const,
    });
    const listSent = () => JSON.stringify(model.calls.map(({ messages }) => messages));
    return { agent, listSent };
  };
}

const listResults = async (store: Store) =>
  (await store.listMessages('chat-1')).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));

describe('what a person says when they reject a call passes the hooks', () => {
  test('where another call of the turn had its id', async () => {
    const store = memoryStore();
    const { agent, listSent } = makeProcesses(store)('look_up', 'pay', 'done');
    await agent.invoke(say('hi'), config);
    await agent.invoke(reject, config);
    expect(listSent()).not.toContain('4111111111111111');
    expect(await listResults(store)).toEqual(['done', 'Not with card #.']);
  });

  test('in another process, where a call of an earlier turn had its id', async () => {
    const store = memoryStore();
    const start = makeProcesses(store);
    const first = start('look_up', 'done', 'pay').agent;
    await first.invoke(say('hi'), config);
    await first.invoke(say('and?'), config);
    const { agent, listSent } = start('done');
    await agent.invoke(reject, config);
    expect(listSent()).not.toContain('4111111111111111');
    expect(await listResults(store)).toEqual(['done', 'Not with card #.']);
  });

  test('in another process, where there is no store', async () => {
    const start = makeProcesses();
    await start('pay').agent.invoke(say('hi'), config);
    const { agent, listSent } = start('done');
    const { messages } = await agent.invoke(reject, config);
    expect(listSent() + JSON.stringify(messages)).not.toContain('4111111111111111');
  });
});
