import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { hearUsers } from '@spec/test-helpers';
import { AIMessage, createAgent, fakeModel, HumanMessage, ToolMessage, tool } from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { hooksMiddleware } from '../src/index.ts';

const config = { configurable: { thread_id: 'chat-1' } };
const mask = defineHook({
  hook: 'before_create_message',
  id: 'mask',
  execute: async (_state, message) => ({
    ...message,
    content: message.content?.replaceAll(/\d{16}/g, '#') ?? null,
  }),
});

/** A graph of two agents, of which the first hands over to the second. */
function makeGraph() {
  const store = memoryStore();
  const { heard, listen } = hearUsers();
  const hooks = { hooks: [mask, defineHook(listen)], allowPartial: ['mask', 'listen'], store } as const;
  const handOver = tool(
    async (_input, { state, toolCallId }: { state: typeof MessagesAnnotation.State; toolCallId: string }) => {
      const result = new ToolMessage({ content: 'over', tool_call_id: toolCallId });
      const messages = [...state.messages.slice(-1), result];
      return new Command({ graph: Command.PARENT, goto: 'second', update: { messages } });
    },
    { name: 'hand_over', schema: z.object({}) },
  );
  const model = fakeModel();
  const call = { id: 'call_1', name: 'hand_over', args: {}, type: 'tool_call' } as const;
  const first = createAgent({
    ...{ name: 'first', tools: [handOver], middleware: [hooksMiddleware(hooks)] },
    model: fakeModel().respond(new AIMessage({ content: '', tool_calls: [call] })),
  });
  const second = createAgent({ name: 'second', model, tools: [], middleware: [hooksMiddleware(hooks)] });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('first', first.graph, { ends: ['second'] })
    .addNode('second', second.graph)
    .addEdge(START, 'first')
    .compile({ checkpointer: new MemorySaver() });
  const say = (text: string) => graph.invoke({ messages: [new HumanMessage(text)] }, config);
  return { say, model, store, heard };
}

test('what the user said before a handoff comes to the second agent, and to their graph, as hooks have left it', async () => {
  const { say, model, store } = makeGraph();
  model.respond(new AIMessage('done'));
  const { messages } = await say('card 4111111111111111');
  expect(messages.map(({ text }) => text)).toEqual(['card #', '', 'over', 'done']);
  expect(model.calls[0]?.messages.map(({ text }) => text)).toEqual(['card #', '', 'over']);
  const rows = await store.listMessages('chat-1');
  expect(rows.map(({ content }) => content ?? '')).toEqual(['card #', '', 'over', 'done']);
});

test('an agent hears what was said before it came into the graph, where an agent without hooks has answered', async () => {
  const { heard, listen } = hearUsers();
  const hooks = { hooks: [mask, defineHook(listen)], allowPartial: ['mask', 'listen'] } as const;
  const model = fakeModel().respond(new AIMessage('done')).respond(new AIMessage('again'));
  const open = createAgent({
    model: fakeModel().respond(new AIMessage('one')).respond(new AIMessage('two')),
    tools: [],
  });
  const guarded = createAgent({ model, tools: [], middleware: [hooksMiddleware(hooks)] });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('open', open.graph)
    .addNode('guarded', guarded.graph)
    .addEdge(START, 'open')
    .addEdge('open', 'guarded')
    .compile({ checkpointer: new MemorySaver() });
  for (const text of ['card 4111111111111111', 'and 5500000000000004'])
    await graph.invoke({ messages: [new HumanMessage(text)] }, { configurable: { thread_id: 'chat-2' } });
  expect(JSON.stringify(model.calls)).not.toMatch(/4111111111111111|5500000000000004/);
  expect(heard).toEqual(['card 4111111111111111', 'and 5500000000000004']);
});
