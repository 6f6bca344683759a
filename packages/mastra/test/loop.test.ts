// What the loop of Mastra does besides the usual: failures of a store, aborts, contexts that are handed on.
import { Agent } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { type AnyHook, defineHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { failOnce } from '@spec/test-helpers';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createHooks, type MastraOptions } from '../src/index.ts';
import { type Answer, scriptedModel } from './scripted-model.ts';

const call = (n: number): Answer => ({ calls: [{ id: `call_${n}`, name: 'look', input: { n } }] });

function makeAgent(options: MastraOptions, ...script: readonly Answer[]) {
  const hooks = createHooks(options);
  const { model, sent } = scriptedModel(...script);
  const inputSchema = z.object({ n: z.number() });
  const look = createTool({
    id: 'look',
    description: 'Looks.',
    inputSchema,
    execute: async ({ n }) => `r${n}`,
  });
  const agent = new Agent({
    ...{ id: 'clerk', name: 'clerk', instructions: 'Look.', model, maxRetries: 0 },
    ...{ tools: hooks.wrapTools({ look }), inputProcessors: [hooks.processor] },
  });
  return { agent, sent };
}

describe('a turn that cannot be finished', () => {
  test.each(['generate', 'stream'] as const)(
    'ends with the error of its store, and calls no model again (%s)',
    async (way) => {
      const store = failOnce(memoryStore());
      const { agent, sent } = makeAgent({ hooks: [], store }, call(1), call(2), { text: 'done' });
      const ended =
        way === 'generate'
          ? agent.generate('go', { maxSteps: 5 })
          : agent.stream('go', { maxSteps: 5 }).then(({ text }) => text);
      await expect(ended).rejects.toThrow('disk full');
      expect(sent).toHaveLength(1);
    },
  );

  test('ends where the hook on a tool’s row fails', async () => {
    const boom = defineHook({
      hook: 'before_create_message',
      id: 'boom',
      execute: async (_state, message) => {
        if (message.role === 'tool') throw new Error('x');
        return message;
      },
    });
    const { agent, sent } = makeAgent(
      { hooks: [boom], allowPartial: ['boom'] },
      ...[call(1), { text: 'done' }],
    );
    await expect(agent.generate('go')).rejects.toThrow('boom');
    expect(sent).toHaveLength(1);
  });
});

describe('another agent with hooks that a tool hands its request context on to', () => {
  test.each(['two hosts', 'one'])('has a turn and a thread of its own (%s)', async (which) => {
    const store = memoryStore();
    const open = () =>
      createHooks({ hooks: [], store, turn: (context) => ({ userId: context?.get('user') }) });
    const outer = open();
    const inner = which === 'one' ? outer : open();
    const found = { text: 'It is there.' };
    const clerk = new Agent({
      ...{ id: 'clerk', name: 'clerk', instructions: 'Look.', maxRetries: 0 },
      ...{ model: scriptedModel(found, found).model, inputProcessors: [inner.processor] },
    });
    const seen: unknown[] = [];
    const ask = createTool({
      ...{ id: 'ask', description: 'Asks.', inputSchema: z.object({ n: z.number() }) },
      execute: async ({ n }, { requestContext }) => {
        seen.push(requestContext?.get('asked'));
        requestContext?.set('asked', n);
        return (await clerk.generate('where is it?', requestContext === undefined ? {} : { requestContext }))
          .text;
      },
    });
    const chief = new Agent({
      ...{ id: 'chief', name: 'chief', instructions: 'Ask.', maxRetries: 0 },
      model: scriptedModel(
        { calls: [{ id: 'a1', name: 'ask', input: { n: 1 } }] },
        { calls: [{ id: 'a2', name: 'ask', input: { n: 2 } }] },
        { text: 'Found.' },
      ).model,
      ...{ tools: outer.wrapTools({ ask }), inputProcessors: [outer.processor] },
    });
    const requestContext = new RequestContext<unknown>([['user', 'ada']]);
    await chief.generate('find it', { requestContext });
    expect([seen, requestContext.get('asked')]).toEqual([[undefined, 1], 2]);
    const threads = await Promise.all(
      (await store.listThreads()).map(async ({ id }) =>
        (await store.listMessages(id)).map(({ role, content }) => `${role}: ${content}`),
      ),
    );
    expect(threads.toSorted((one, other) => other.length - one.length)).toEqual([
      [
        'user: find it',
        'assistant: null',
        'tool: It is there.',
        'assistant: null',
        'tool: It is there.',
        'assistant: Found.',
      ],
      ['user: where is it?', 'assistant: It is there.'],
      ['user: where is it?', 'assistant: It is there.'],
    ]);
  });
});

describe('what comes behind the processor of hooks', () => {
  const guard = defineHook({
    hook: 'before_tool_call',
    id: 'guard',
    execute: async () => ({ decision: 'deny' }),
  });
  const look = defineHook({ hook: 'after_create_message', id: 'look', execute: async () => {} });
  const inputSchema = z.object({ n: z.number() });

  function makeSwapped(change: object, way: 'processor' | 'prepareStep', hook: AnyHook = guard) {
    const hooks = createHooks({ hooks: [hook], allowPartial: [hook.id] });
    const behind = { id: 'behind', processInputStep: () => change as never };
    const { model, sent } = scriptedModel(call(1), { text: 'done' });
    const tool = createTool({ id: 'look', description: 'Looks.', inputSchema, execute: async () => 'r' });
    const inputProcessors = [hooks.processor, ...(way === 'processor' ? [behind] : [])];
    const agent = new Agent({
      ...{ id: 'clerk', name: 'clerk', instructions: 'Look.', model, maxRetries: 0 },
      ...{ tools: hooks.wrapTools({ look: tool }), inputProcessors },
    });
    const options = way === 'processor' ? {} : { prepareStep: () => change as never };
    return { ask: () => agent.generate('go', options), sent, hooks };
  }

  test.each(['processor', 'prepareStep'] as const)('cannot swap the tools (%s)', async (way) => {
    const run = vi.fn(async () => 'r');
    const swapped = { look: createTool({ id: 'look', description: 'Looks.', inputSchema, execute: run }) };
    const { ask, sent } = makeSwapped({ tools: swapped }, way);
    await expect(ask()).rejects.toThrow('No hook sees the calls of the tool "look"');
    expect([run.mock.calls, sent]).toEqual([[], []]);
  });

  test.each(['processor', 'prepareStep'] as const)('cannot swap the model (%s)', async (way) => {
    const other = scriptedModel({ text: 'other' });
    const { ask } = makeSwapped({ model: other.model }, way, look);
    await expect(ask()).rejects.toThrow('gives this step another model');
    expect(other.sent).toEqual([]);
  });

  test('no provider is told of the seal that tools bear', async () => {
    const { ask, sent } = makeSwapped({}, 'processor');
    await ask();
    expect(sent.length).toBeGreaterThan(0);
    expect(JSON.stringify(sent)).not.toContain('spec_hooks');
  });
});

test.each([
  ['without a store', undefined],
  ['with one', memoryStore],
])('calls of several answers with one id are told apart: %s', async (_, open) => {
  const failed: string[] = [];
  const told = defineHook({
    hook: 'after_tool_call_failure',
    id: 'told',
    execute: async (_state, { function: called }, result) => {
      failed.push(called.name);
      return { ...result, error: `No ${called.name}.` };
    },
  });
  const one = (name: string): Answer => ({ calls: [{ id: 'call_0', name, input: { n: 1 } }] });
  const store = open?.();
  const options = { hooks: [told], allowPartial: ['told'], ...(store === undefined ? {} : { store }) };
  const { agent, sent } = makeAgent(options, one('lend'), one('look'), one('lend'), { text: 'done' });
  await agent.generate('go', { maxSteps: 6 });
  // Of such calls, Mastra itself shows its model the last one.
  const results = sent.map((prompt) =>
    JSON.stringify(prompt)
      .match(/No lend\.|r1/g)
      ?.join(),
  );
  expect(results).toEqual([undefined, 'No lend.', 'r1', 'No lend.']);
  expect(failed).toEqual(['lend', 'lend']);
});
