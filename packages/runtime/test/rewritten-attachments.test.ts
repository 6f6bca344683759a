import { type AnyHook, defineHook, type HookToolResult, type ToolAttachment } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { defineTool } from '../src/index.ts';
import { type Kit, onBothStores } from './kit.ts';

const chart: ToolAttachment = { name: 'chart.txt', mimeType: 'text/plain', data: btoa('a chart') };
const other: ToolAttachment = { name: 'other.txt', mimeType: 'text/plain', data: btoa('another') };
const draw = defineTool({
  name: 'draw',
  execute: () => ({ status: 'success' as const, result: 'drawn', attachments: [chart] }),
});

interface Kept {
  readonly content: string | null;
  /** The names of the files that the stored result points to. */
  readonly pointers: readonly unknown[];
  /** The names of the files in the thread's file system. */
  readonly files: readonly string[];
}

/** What is kept of a tool's result and its file when a hook has had it. */
async function keptBy(kit: Kit, hook: AnyHook): Promise<Kept> {
  const { thread } = await kit.thread({
    policies: [hook],
    tools: [draw],
    script: [{ toolCalls: [{ id: 'c1', name: 'draw' }] }, 'ok'],
  });
  await thread.send('Go');
  const row = (await thread.messages())[2] as unknown as HookToolResult & { content: string | null };
  return {
    content: row.content,
    pointers: (row.attachments ?? []).map(({ name }) => name),
    files: (await thread.state.listFiles()).map(({ name }) => name),
  };
}

type Rewrite = (result: HookToolResult) => HookToolResult;

/** The same rewrite by each of the hooks that can rewrite a result. */
function rewritingHooks(rewrite: Rewrite, changes?: readonly string[]): AnyHook[] {
  const limited = changes === undefined ? {} : { changes };
  return [
    defineHook({
      hook: 'after_tool_call_success',
      id: 'rewrite',
      ...limited,
      execute: async (_state, _call, result) => rewrite(result),
    }) as AnyHook,
    defineHook({
      hook: 'before_store_tool_result',
      id: 'rewrite',
      ...limited,
      execute: async (_state, _call, result) =>
        rewrite(result as unknown as HookToolResult) as unknown as Record<string, unknown>,
    }) as AnyHook,
  ];
}

onBothStores('a rewrite that carries the attachments on keeps them', async (kit) => {
  for (const hook of rewritingHooks((result) => ({ ...result, result: 'rewritten' })))
    expect(await keptBy(kit, hook)).toEqual({
      content: 'rewritten',
      pointers: ['chart.txt'],
      files: ['chart.txt'],
    });
});

onBothStores('a rewrite without attachments drops them, the files too', async (kit) => {
  for (const hook of rewritingHooks(() => ({ status: 'success', result: 'rewritten' })))
    expect(await keptBy(kit, hook)).toEqual({ content: 'rewritten', pointers: [], files: [] });
});

onBothStores('a rewrite with other attachments replaces them', async (kit) => {
  for (const hook of rewritingHooks((result) => ({ ...result, attachments: [other] })))
    expect(await keptBy(kit, hook)).toEqual({
      content: 'drawn',
      pointers: ['other.txt'],
      files: ['other.txt'],
    });
});

onBothStores('a hook that may change the text alone cannot drop them by mistake', async (kit) => {
  const forgets: Rewrite = () => ({ status: 'success', result: 'rewritten' });
  const [after, before] = rewritingHooks(forgets, ['result']) as [AnyHook, AnyHook];
  expect(await keptBy(kit, after)).toEqual({
    content: 'drawn',
    pointers: ['chart.txt'],
    files: ['chart.txt'],
  });
  expect(await keptBy(kit, before)).toMatchObject({
    content: expect.stringContaining('withheld'),
    pointers: [],
    files: [],
  });
  const [keeps] = rewritingHooks((result) => ({ ...result, result: 'rewritten' }), ['result']) as [AnyHook];
  expect(await keptBy(kit, keeps)).toMatchObject({ content: 'rewritten', pointers: ['chart.txt'] });
});

describe('attachments that a hook spoils cost the result, not the turn', () => {
  const spoilt: readonly [string, unknown][] = [
    ['an object', {}],
    ['a number', 5],
    ['a text', 'x'],
    ['a list with null', [null]],
    ['a list with a text', ['chart.txt']],
    ['a list with a list', [[]]],
  ];
  for (const [what, attachments] of spoilt) {
    onBothStores(`${what}, where the row is made`, async (kit) => {
      const spoils = defineHook({
        hook: 'before_create_message',
        id: 'spoils',
        execute: async (_, message) => (message.role === 'tool' ? { ...message, attachments } : message),
      });
      const { thread } = await kit.thread({
        policies: [spoils],
        tools: [draw],
        script: [{ toolCalls: [{ id: 'c1', name: 'draw' }] }, 'ok'],
      });
      expect(await thread.send('Go')).toMatchObject({ status: 'completed', text: 'ok' });
      expect((await thread.messages())[2]).toMatchObject({
        role: 'tool',
        tool_call_id: 'c1',
        status: 'error',
        content: expect.stringContaining('the hook "spoils" (before_create_message)'),
      });
      expect(await thread.runs({ hook: 'before_create_message' })).toContainEqual(
        expect.objectContaining({ outcome: 'invalid_result' }),
      );
    });
  }

  onBothStores('what a hook leaves empty is no attachment', async (kit) => {
    const empties = defineHook({
      hook: 'before_create_message',
      id: 'empties',
      execute: async (_, message) => (message.role === 'tool' ? { ...message, attachments: null } : message),
    });
    expect(await keptBy(kit, empties as AnyHook)).toEqual({ content: 'drawn', pointers: [], files: [] });
  });
});
