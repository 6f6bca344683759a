import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { defineHook } from '../define/define.ts';
import { lifecycleTable } from '../lifecycle/table.ts';
import type { HookMessage, HookToolCall } from '../vocabulary/messages.ts';
import { honourOnly } from './honours.ts';
import { createHost } from './host.ts';
import { passCall, passRefusal } from './pass-call.ts';
import { passAnswer } from './pass-messages.ts';
import { recallRows } from './recall-rows.ts';
import type { ThreadStore } from './thread-store.ts';

const honours = honourOnly(Object.keys(lifecycleTable) as (keyof typeof lifecycleTable)[], 'never');
const call = (id: string): HookToolCall => ({
  id,
  type: 'function',
  function: { name: 'act', arguments: '{}' },
});

/** A store of one thread in memory. */
function keepRows(): ThreadStore & { readonly rows: HookMessage[] } {
  const rows: HookMessage[] = [];
  return {
    rows,
    getThread: async () => ({}),
    createThread: async () => {},
    acquireLease: async ({ threadId, owner, ttlMs }) => ({ threadId, owner, ttlMs, fence: 1, expiresAt: 0 }),
    releaseLease: async () => {},
    append: async (_, __, { messages = [] }) => void rows.push(...messages),
    listMessages: async () => rows,
    getValue: async () => undefined,
    setValuesIf: async () => false,
  };
}

function open(
  options: { readonly abortSignal?: AbortSignal; readonly hooks?: ReturnType<typeof hide>[] } = {},
) {
  const { abortSignal, hooks = [] } = options;
  const store = keepRows();
  const turn = createHost({ name: 'place', honours, hooks, store }).openTurn({ abortSignal });
  return { turn, list: () => store.rows.map(({ role, content }) => `${role}: ${content}`) };
}

const hide = () =>
  defineHook({
    hook: 'before_create_message',
    id: 'hide',
    execute: async (_, message) => ({
      ...message,
      content: message.content?.replace('ada', '***') ?? null,
      seen: true,
    }),
  });

describe('the calls of one answer', () => {
  test('have their rows in their order, whichever ends first; one that the loop has not begun is not waited for', async () => {
    const { turn, list } = open();
    await passAnswer(turn, { text: null, calls: ['a', 'b', 'c'].map(call) });
    let end = (_: string): void => {};
    const slow = new Promise<string>((resolve) => {
      end = resolve;
    });
    const first = passCall(turn, call('a'), { tool: () => slow });
    const third = passCall(turn, call('c'), { tool: () => 'from c' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(list()).toEqual(['assistant: null']);
    end('from a');
    await Promise.all([first, third]);
    expect(list()).toEqual(['assistant: null', 'tool: from a', 'tool: from c']);
  });

  test('a call of a tool by another one waits for nothing', async () => {
    const { turn, list } = open();
    await passAnswer(turn, { text: null, calls: [call('a')] });
    const inner = async () => (await passCall(turn, call('inner'), { tool: () => 'inside' })).row.content;
    const { row } = await passCall(turn, call('a'), { tool: inner });
    expect([row.content, list()]).toEqual(['inside', ['assistant: null', 'tool: inside', 'tool: inside']]);
  });

  test('have a result each when the turn is stopped, though their tools do not react', async () => {
    const aborts = new AbortController();
    const { turn, list } = open({ abortSignal: aborts.signal, hooks: [hide()] });
    await passAnswer(turn, { text: 'for ada', calls: ['a', 'b'].map(call) });
    await passCall(turn, call('a'), { tool: () => 'of ada' });
    const deaf = passCall(turn, call('b'), { tool: () => new Promise(() => {}) });
    aborts.abort();
    await expect(deaf).rejects.toMatchObject({ code: 'aborted' });
    expect(list()).toEqual([
      'assistant: for ***',
      'tool: of ***',
      'tool: The turn was stopped before this tool call was finished.',
    ]);
  });

  test('have a result each when the turn is stopped before the loop comes to them, and it never does', async () => {
    const aborts = new AbortController();
    const { turn, list } = open({ abortSignal: aborts.signal });
    await passAnswer(turn, { text: null, calls: ['a', 'b'].map(call) });
    await passCall(turn, call('a'), { tool: () => 'from a' });
    aborts.abort();
    const stopped = 'tool: The turn was stopped before this tool call was finished.';
    await vi.waitFor(() => expect(list()).toEqual(['assistant: null', 'tool: from a', stopped]));
  });

  test('leave nothing behind at a signal that lives longer than the turn', async () => {
    const { signal } = new AbortController();
    const { turn } = open({ abortSignal: signal });
    const count = (): number => getEventListeners(signal, 'abort').length;
    const counts: number[] = [];
    for (const id of ['a', 'b']) {
      await passAnswer(turn, { text: null, calls: [call(id)] });
      await passCall(turn, call(id), { tool: async () => 'done' });
      counts.push(count());
    }
    await passAnswer(turn, { text: null, calls: [call('c')] });
    expect([...counts, count()]).toEqual([1, 1, 2]);
  });

  test('that the loop answers by itself pass the hooks, and are stored', async () => {
    const { turn, list } = open({ hooks: [hide()] });
    const { row, result } = await passRefusal(turn, call('a'), 'no tool for ada');
    expect([row.content, result.error, list()]).toEqual([
      'no tool for ***',
      'no tool for ada',
      ['tool: no tool for ***'],
    ]);
  });
});

test('messages of a loop are those of the store that say the same, with all of their fields', async () => {
  const { turn } = open({ hooks: [hide()] });
  await passAnswer(turn, { text: 'hello ada', calls: [] });
  const messages: HookMessage[] = ['hello ***', 'hello'].map((content, at) => ({
    ...{ id: `prompt.${at}`, role: 'assistant', content, created_at: at },
  }));
  const originals = new Map(messages.map((lent) => [lent.id, { lent }]));
  const recalled = await recallRows(turn, { messages, originals });
  expect(recalled.messages).toEqual([
    expect.objectContaining({ content: 'hello ***', seen: true, id: expect.not.stringContaining('prompt') }),
    messages[1],
  ]);
  expect([...recalled.originals.keys()]).toEqual(recalled.messages.map(({ id }) => id));
});
