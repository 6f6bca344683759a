import { defineHook, type HookToolResult, type ThreadState } from '@spec/hooks';
import { expect } from 'vitest';
import { z } from 'zod';
import { type AnyTool, defineTool } from '../src/index.ts';
import { fields, type Kit, lines, onBothStores } from './kit.ts';

/** The row of one call of `tool`. */
async function storeRow(
  kit: Kit,
  tool: AnyTool,
  input: Record<string, unknown> | string = {},
): Promise<Record<string, unknown>> {
  const { thread } = await kit.thread({
    tools: [tool],
    script: [{ toolCalls: [{ id: 'c1', name: tool.name, input }] }, 'ok'],
  });
  await thread.send('Go');
  return (await thread.messages())[2] as unknown as Record<string, unknown>;
}

onBothStores('a tool’s answer is its row', async (kit) => {
  const row = await storeRow(
    kit,
    defineTool({ name: 'orders', execute: () => ({ status: 'success', orders: [1] }) }),
  );
  expect(row).toMatchObject({
    role: 'tool',
    content: '{"status":"success","orders":[1]}',
    tool_call_id: 'c1',
    name: 'orders',
    status: 'success',
  });
});

onBothStores('a tool that throws, also no error, or answers what is no JSON, has failed', async (kit) => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const tools: AnyTool[] = [
    defineTool({ name: 'throws', execute: () => Promise.reject(new RangeError('too far')) }),
    defineTool({
      name: 'throws_text',
      execute: () => {
        throw 'secret text';
      },
    }),
    defineTool({ name: 'circular', execute: () => circular }),
  ];
  const { thread } = await kit.thread({
    tools,
    script: [{ toolCalls: tools.map(({ name }) => ({ name })) }, 'ok'],
  });
  await thread.send('Go');
  const [, , ...rows] = await lines(thread);
  expect(rows[0]).toBe('tool: too far');
  expect(rows[1]).toBe('tool: The tool failed.');
  expect(rows[2]).toContain('field self refers to itself');
  expect(await fields(thread, 'stack')).toEqual(Array.from({ length: 6 }, () => undefined));
});

onBothStores('failure hooks see the stack; it is not stored', async (kit) => {
  const stacks: unknown[] = [];
  const look = defineHook({
    hook: 'after_tool_call_failure',
    id: 'look',
    execute: async (_, _call, result) => {
      stacks.push(result.stack);
      return null;
    },
  });
  const fails = defineTool({
    name: 'fails',
    execute: () => {
      throw new Error('no');
    },
  });
  const { thread } = await kit.thread({
    policies: [look],
    tools: [fails],
    script: [{ toolCalls: [{ name: 'fails' }] }, 'ok'],
  });
  await thread.send('Go');
  expect(stacks).toEqual([expect.stringContaining('test/tool-calls.test.ts')]);
  expect(JSON.stringify(await thread.messages())).not.toContain('test/tool-calls.test.ts');
});

onBothStores(
  'arguments are checked by the tool’s schema, and what it makes of them is the input',
  async (kit) => {
    const inputs: unknown[] = [];
    const tool = defineTool({
      name: 'tool',
      input: z.object({ n: z.number().int(), text: z.string().default('none') }),
      execute: (input) => {
        inputs.push(input);
        return 'ok';
      },
    });
    expect(await storeRow(kit, tool, { n: 1 })).toMatchObject({ content: 'ok' });
    expect(inputs).toEqual([{ n: 1, text: 'none' }]);
    const refused = await storeRow(kit, tool, { n: 1.5, text: 7 });
    expect(refused).toMatchObject({ status: 'error' });
    expect(refused.content).toMatch(/^The arguments do not fit this tool, at n, text: /);
    expect(inputs).toHaveLength(1);
  },
);

onBothStores('arguments that are no JSON object are refused, none at all are none', async (kit) => {
  const tool = defineTool({
    name: 'tool',
    parameters: { type: 'object' },
    execute: (input) => JSON.stringify(input),
  });
  for (const input of ['{"a":', '[1]', 'null', '"x"', '7']) {
    expect(await storeRow(kit, tool, input)).toMatchObject({
      status: 'error',
      content: 'The arguments of this call are no valid JSON object.',
    });
  }
  expect(await storeRow(kit, tool, '')).toMatchObject({ content: '{}' });
});

onBothStores('a tool that does not exist, or that the prompt does not offer, is not run', async (kit) => {
  let ran = 0;
  const offered = defineTool({ name: 'offered', execute: () => 'ok' });
  const hidden = defineTool({ name: 'hidden', execute: () => void ran++ });
  const { thread, model } = await kit.thread({
    tools: [offered, hidden],
    prompt: { tools: ['offered'] },
    script: [{ toolCalls: [{ name: 'hidden' }, { name: 'nowhere' }, { name: 'offered' }] }, 'ok'],
  });
  await thread.send('Go');
  expect(ran).toBe(0);
  expect((await lines(thread)).slice(2, 5)).toEqual([
    'tool: There is no tool named "hidden". Available tools: offered.',
    'tool: There is no tool named "nowhere". Available tools: offered.',
    'tool: ok',
  ]);
  expect(model.calls[0]?.tools?.map(({ name }) => name)).toEqual(['offered']);
});

onBothStores(
  'unknown fields of a result survive to its row; a message’s own fields are not taken',
  async (kit) => {
    const tool = defineTool({
      name: 'tool',
      execute: () =>
        ({
          status: 'success',
          result: 'ok',
          cost: { cents: 5 },
          id: 'order-5',
          role: 'user',
          content: 'x',
          created_at: 1,
          tool_calls: '[]',
          error_code: 'x',
        }) as HookToolResult,
    });
    const row = await storeRow(kit, tool);
    expect(row).toMatchObject({ role: 'tool', content: 'ok', cost: { cents: 5 }, status: 'success' });
    expect(row.id).not.toBe('order-5');
    expect(row.created_at).not.toBe(1);
    expect(row).not.toHaveProperty('tool_calls');
    expect(row).not.toHaveProperty('error_code');
  },
);

onBothStores('before_store_tool_result may add metadata', async (kit) => {
  const { thread } = await kit.thread({
    policies: [
      defineHook({
        hook: 'before_store_tool_result',
        id: 'stamp',
        execute: async (_, call, result) => ({
          ...result,
          metadata: { tool: (call.function as { name: string }).name },
        }),
      }),
    ],
    tools: [defineTool({ name: 'tool', execute: () => 'ok' })],
    script: [{ toolCalls: [{ name: 'tool' }] }, 'ok'],
  });
  await thread.send('Go');
  expect((await thread.messages())[2]).toMatchObject({ content: 'ok', metadata: { tool: 'tool' } });
});

onBothStores('a tool gets the state, its call’s id and a live signal', async (kit) => {
  const got: unknown[] = [];
  const tool = defineTool({
    name: 'tool',
    execute: async (_input, { state, toolCallId, abortSignal }) => {
      got.push(toolCallId, abortSignal.aborted, state.execution.stepCount);
      await state.setValue('k', { v: 1 });
      return 'ok';
    },
  });
  const { thread } = await kit.thread({
    tools: [tool],
    script: [{ toolCalls: [{ id: 'c9', name: 'tool' }] }, 'ok'],
  });
  await thread.send('Go');
  expect(got).toEqual(['c9', false, 1]);
  expect(await thread.state.getValue('k')).toEqual({ v: 1 });
});

onBothStores('hooks with a matcher see only the calls they are for', async (kit) => {
  const seen: string[] = [];
  const look = defineHook({
    hook: 'before_tool_call',
    id: 'look',
    match: 'get_*',
    execute: async (_, call) => {
      seen.push(call.function.name);
      return null;
    },
  });
  const tools = ['get_a', 'set_a'].map((name) => defineTool({ name, execute: () => name }));
  const { thread } = await kit.thread({
    policies: [look],
    tools,
    script: [{ toolCalls: [{ name: 'get_a' }, { name: 'set_a' }] }, 'ok'],
  });
  await thread.send('Go');
  expect(seen).toEqual(['get_a']);
  expect((await thread.runs()).map(({ outcome }) => outcome).sort()).toEqual(['ok', 'skipped']);
});

onBothStores(
  'a hook that invokes a tool gets its result, through the tool’s hooks, and nothing is stored',
  async (kit) => {
    const results: HookToolResult[] = [];
    const seen: string[] = [];
    const before = defineHook({
      hook: 'before_tool_call',
      id: 'before',
      execute: async (_, call) => {
        seen.push(call.function.arguments);
        return null;
      },
    });
    const invoke = defineHook({
      hook: 'after_create_message',
      id: 'invoke',
      execute: async (state: ThreadState) => void results.push(await state.invokeTool('double', { n: 4 })),
    });
    const double = defineTool({
      name: 'double',
      input: z.object({ n: z.number() }),
      execute: ({ n }) => `${n * 2}`,
    });
    const { thread } = await kit.thread({ policies: [before, invoke], tools: [double] });
    await thread.inject({ role: 'user', content: 'x' });
    expect(results).toEqual([{ status: 'success', result: '8' }]);
    expect(seen).toEqual(['{"n":4}']);
    expect(await lines(thread)).toEqual(['user: x']);
  },
);
