import { type AttachmentRef, defineHook, type HookToolResult } from '@spec/hooks';
import { expect } from 'vitest';
import { fields, type Kit, onBothStores } from '../../test/kit.ts';
import { type AnyTool, defineTool } from '../index.ts';

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

onBothStores('attachments become files of the thread and pointers to them', async (kit) => {
  const pointer: AttachmentRef = {
    type: 'file',
    path: 'a/b.txt',
    name: 'b.txt',
    mimeType: 'text/plain',
    size: 1,
  };
  const tool = defineTool({
    name: 'tool',
    execute: () => ({
      status: 'success' as const,
      attachments: [
        { name: '../../etc/x.txt', mimeType: 'text/plain', data: btoa('hello') },
        pointer,
        { name: 'x.bin', mimeType: 'application/octet-stream', data: new Uint8Array([1, 2]) },
      ],
    }),
  });
  const { thread } = await kit.thread({
    tools: [tool],
    script: [{ toolCalls: [{ id: 'c/1', name: 'tool' }] }, 'ok'],
  });
  await thread.state.writeFile(pointer.path, 'b');
  const { turnId } = await thread.send('Go');
  const path = `attachments/${turnId}.1.result.0/1-.._.._etc_x.txt`;
  const binary = `attachments/${turnId}.1.result.0/3-x.bin`;
  expect((await fields(thread, 'attachments'))[2]).toEqual([
    { type: 'file', path, name: '../../etc/x.txt', mimeType: 'text/plain', size: 5 },
    pointer,
    {
      type: 'file',
      path: binary,
      name: 'x.bin',
      mimeType: 'application/octet-stream',
      size: 2,
    },
  ]);
  expect(await thread.state.readFile(path)).toEqual(new TextEncoder().encode('hello'));
  expect(await thread.state.readFile(binary)).toEqual(new Uint8Array([1, 2]));
});

onBothStores('attachments that a hook dropped are not stored, nor are broken ones', async (kit) => {
  const files = [{ name: 'x.txt', mimeType: 'text/plain', data: btoa('hello') }];
  const tool = defineTool({
    name: 'tool',
    execute: () => ({ status: 'success' as const, result: 'ok', attachments: files }),
  });
  const drop = defineHook({
    hook: 'before_create_message',
    id: 'drop',
    execute: async (_, { attachments: __, ...message }) => message,
  });
  const { thread } = await kit.thread({
    policies: [drop],
    tools: [tool],
    script: [{ toolCalls: [{ name: 'tool' }] }, 'ok'],
  });
  await thread.send('Go');
  expect((await thread.messages())[2]).toMatchObject({ content: 'ok' });
  expect(await thread.state.listFiles()).toEqual([]);
  const wrong = {
    'has data that is neither base64 text nor bytes': { name: 'x', mimeType: 'y', data: '%%%' },
    'has no mimeType': { name: 'x' },
    'has no name': { type: 'file' },
  };
  for (const [why, broken] of Object.entries(wrong)) {
    const result = { status: 'success' as const, result: 'ok', attachments: [broken] } as HookToolResult;
    expect(await storeRow(kit, defineTool({ name: 'tool', execute: () => result }))).toMatchObject({
      status: 'error',
      content: expect.stringContaining(`could not be stored: attachment 1 ${why}: give { name, mimeType`),
    });
  }
});

onBothStores('a call id that comes again does not take the files of the first one', async (kit) => {
  let count = 0;
  const tool = defineTool({
    name: 'tool',
    execute: () => ({
      status: 'success' as const,
      attachments: [{ name: 'a.txt', mimeType: 'text/plain', data: btoa(`file ${++count}`) }],
    }),
  });
  const calls = { toolCalls: [{ id: 'call_0', name: 'tool' }] };
  const { thread } = await kit.thread({ tools: [tool], script: [calls, 'ok', calls, 'ok'] });
  await thread.send('One');
  await thread.send('Two');
  const files = await thread.state.listFiles();
  const texts = await Promise.all(files.map(async ({ path }) => thread.state.readFile(path)));
  expect(texts.map((bytes) => new TextDecoder().decode(bytes ?? undefined)).sort()).toEqual([
    'file 1',
    'file 2',
  ]);
});

onBothStores('a pointer to a file that is not there is an error, whoever gives it', async (kit) => {
  const attachments: AttachmentRef[] = [
    { type: 'file', path: 'gone.txt', name: 'gone.txt', mimeType: 'text/plain', size: 1 },
  ];
  const tool = (given: object) =>
    defineTool({ name: 'tool', execute: () => ({ status: 'success' as const, result: 'ok', ...given }) });
  const seen: string[] = [];
  const watch = defineHook({
    hook: 'after_tool_call_failure',
    id: 'watch',
    execute: async (_state, _call, { status }) => {
      seen.push(status);
      return null;
    },
  });
  const point = defineHook({
    hook: 'before_store_tool_result',
    id: 'point',
    execute: async (_state, _call, result) => ({ ...result, attachments }),
  });
  for (const [policies, given] of [
    [[watch], { attachments }],
    [[point], {}],
  ] as const) {
    const { thread } = await kit.thread({
      policies,
      tools: [tool(given)],
      script: [{ toolCalls: [{ name: 'tool' }] }, 'ok'],
    });
    expect(await thread.send('Go')).toMatchObject({ status: 'completed' });
    expect((await thread.messages())[2]).toMatchObject({
      status: 'error',
      content: expect.stringContaining('points to a file that the thread does not have'),
    });
  }
  expect(seen).toEqual(['error']);
});

onBothStores('files of different turns lie apart, whatever the ids of the turns hold', async (kit) => {
  let count = 0;
  const tool = defineTool({
    name: 'tool',
    execute: () => ({
      status: 'success' as const,
      attachments: [{ name: 'f', mimeType: 'text/plain', data: btoa(`file ${++count}`) }],
    }),
  });
  const ids = [
    ...['order_7', 'order/7', 'order\\7', 'order\n7', 'order\u00857', 'order%2F7', 'order%252F7'],
    ...['order%5C7', 'order.7', 'order%2E7', 'order 7'],
  ];
  const { thread } = await kit.thread({
    tools: [tool],
    script: ids.flatMap(() => [{ toolCalls: [{ name: 'tool' }] }, 'ok']),
  });
  for (const id of ids) await thread.send('Go', { id });
  const pointers = (await fields(thread, 'attachments')).flat().filter(Boolean) as unknown as AttachmentRef[];
  const texts = await Promise.all(
    pointers.map(async ({ path }) =>
      new TextDecoder().decode((await thread.state.readFile(path)) as Uint8Array),
    ),
  );
  expect(texts).toEqual(ids.map((_, at) => `file ${at + 1}`));
  expect(pointers[0]?.path).toBe('attachments/order_7.1.result.0/1-f');
  for (const { path } of pointers) expect(path).toMatch(/^attachments\/[^/\\\p{Cc}]+\/1-f$/u);
});
