import { MemorySaver } from '@langchain/langgraph';
import { defineHook } from '@spec/hooks';
import { AIMessage, createAgent, fakeModel, HumanMessage } from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { hooksMiddleware } from '../src/index.ts';

test('a turn is read from the context of the invocation, whichever hook comes first', async () => {
  const users: (string | null)[] = [];
  const listen = defineHook({
    hook: 'before_user_message',
    id: 'listen',
    execute: async ({ userId }) => {
      users.push(userId);
      return null;
    },
  });
  const guards = hooksMiddleware({
    hooks: [listen],
    allowPartial: ['listen'],
    turn: ({ context }) => ({ userId: (context as { user: string }).user }),
  });
  const model = fakeModel().respond(new AIMessage('one')).respond(new AIMessage('two'));
  const agent = createAgent({
    ...{ model, tools: [], checkpointer: new MemorySaver() },
    contextSchema: z.object({ user: z.string() }),
    middleware: [guards] as const,
  });
  for (const user of ['ada', 'bob'])
    await agent.invoke(
      { messages: [new HumanMessage('hi')] },
      { configurable: { thread_id: 'chat-1' }, context: { user } },
    );
  expect(users).toEqual(['ada', 'bob']);
});
