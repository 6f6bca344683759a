// What the loop of Mastra does besides the usual: failures of a store, aborts, contexts that are handed on.
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { defineHook } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import { describe, expect, test } from 'vitest';
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
  /** A store whose first row of a tool is not written. */
  function failOnce(store: Store): Store {
    let failed = false;
    const append: Store['append'] = async (id, fence, rows) => {
      if (!failed && rows.messages?.some(({ role }) => role === 'tool') === true) {
        failed = true;
        throw new Error('disk full');
      }
      return store.append(id, fence, rows);
    };
    return new Proxy(store, {
      get: (target, name) => {
        if (name === 'append') return append;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

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
