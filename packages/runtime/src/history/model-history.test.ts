import { type AnyHook, defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { createKit, type Kit, onBothStores } from '../../test/kit.ts';
import type { MessageQuery, Store } from '../index.ts';

const window = (last: number, seen: string[][]): AnyHook =>
  defineHook({
    hook: 'filter_messages',
    id: 'window',
    reads: { last },
    execute: async (_, messages) => {
      seen.push(messages.map(({ content, role }) => content ?? role));
      return messages;
    },
  });

const call = (id: string): string =>
  JSON.stringify([{ id, type: 'function', function: { name: 'tool', arguments: '{}' } }]);

/** Fills a thread with `user u0`, `assistant a0`, …; the messages named in `special` are others. */
async function seen(
  kit: Kit,
  { last, drafts }: { last: number; drafts: readonly Draft[] },
): Promise<string[]> {
  const all: string[][] = [];
  const { thread } = await kit.thread({ policies: [window(last, all)], script: ['ok'] });
  for (const draft of drafts) await thread.inject(draft as never);
  await thread.send('now');
  return all[0] as string[];
}

interface Draft {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: string;
  readonly tool_call_id?: string;
}

const plain = (from: number, to: number): Draft[] =>
  Array.from({ length: to - from }, (_, i) => ({
    role: i % 2 ? 'assistant' : 'user',
    content: `m${from + i}`,
  }));
const exchange = (results: number): Draft[] => [
  {
    role: 'assistant',
    content: 'calls',
    tool_calls: JSON.stringify(Array.from({ length: results }, (_, i) => JSON.parse(call(`c${i}`))[0])),
  },
  ...Array.from({ length: results }, (_, i) => ({ role: 'tool', content: `r${i}`, tool_call_id: `c${i}` })),
];

onBothStores('only as much is loaded as the first hook reads', async (kit) => {
  expect(await seen(kit, { last: 3, drafts: plain(0, 50) })).toEqual(['m48', 'm49', 'now']);
  expect(await seen(kit, { last: 300, drafts: plain(0, 5) })).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'now']);
});

onBothStores('an exchange that would be cut is loaded from its start', async (kit) => {
  const drafts = [...plain(0, 10), ...exchange(3), ...plain(10, 12)];
  expect(await seen(kit, { last: 4, drafts })).toEqual(['calls', 'r0', 'r1', 'r2', 'm10', 'm11', 'now']);
  const long = [...plain(0, 10), ...exchange(40)];
  expect((await seen(kit, { last: 2, drafts: long })).slice(0, 2)).toEqual(['calls', 'r0']);
});

onBothStores('results whose call is nowhere are loaded to the thread’s start and no further', async (kit) => {
  const drafts = Array.from({ length: 20 }, (_, i) => ({
    role: 'tool',
    content: `r${i}`,
    tool_call_id: `c${i}`,
  }));
  expect(await seen(kit, { last: 2, drafts })).toHaveLength(21);
});

onBothStores('the system messages that open the thread are loaded with it', async (kit) => {
  const system = ['s0', 's1'].map((content) => ({ role: 'system', content }));
  const later = { role: 'system', content: 'later' };
  expect(await seen(kit, { last: 2, drafts: [...system, ...plain(0, 6), later, ...plain(6, 12)] })).toEqual([
    ...['s0', 's1', 'm11', 'now'],
  ]);
  expect(await seen(kit, { last: 3, drafts: system })).toEqual(['s0', 's1', 'now']);
  const many = Array.from({ length: 9 }, (_, i) => ({ role: 'system', content: `s${i}` }));
  expect(await seen(kit, { last: 2, drafts: [...many, ...plain(0, 6)] })).toHaveLength(11);
  expect(await seen(kit, { last: 2, drafts: many })).toHaveLength(10);
});

onBothStores('without a hook that says what it reads everything is loaded', async (kit) => {
  const all: string[][] = [];
  const reader = window(2, all);
  const other = defineHook({ hook: 'filter_messages', id: 'other', priority: 1, execute: async (_, m) => m });
  const { thread, model } = await kit.thread({ policies: [other, reader], script: ['ok'] });
  for (const draft of plain(0, 30)) await thread.inject(draft as never);
  await thread.send('now');
  expect(all[0]).toHaveLength(31);
  expect(model.calls[0]?.prompt).toHaveLength(31);
});

/** A store that counts the messages that are read from it. */
function counting(store: Store): { store: Store; read(): number } {
  let read = 0;
  const listMessages = async (threadId: string, query?: MessageQuery) => {
    const messages = await store.listMessages(threadId, query);
    read += messages.length;
    return messages;
  };
  return { store: { ...store, listMessages }, read: () => read };
}

onBothStores('a step reads no more of a long thread than of a short one', async ({ store: real }) => {
  const reads: number[] = [];
  for (const length of [100, 2_000]) {
    const { store, read } = counting(real);
    const kit = createKit({ ...store, close: async () => {} });
    const { thread } = await kit.thread({ policies: [window(20, [])], script: ['ok'] });
    for (const draft of plain(0, length)) await thread.inject(draft as never);
    await thread.send('now');
    reads.push(read());
    await kit.close();
  }
  expect(reads[0]).toBe(reads[1]);
  expect(reads[1]).toBeLessThanOrEqual(60); // The window, what is read ahead, and the opening.
});

onBothStores('a hook may look further back by itself', async (kit) => {
  let all = 0;
  const curious = defineHook({
    hook: 'filter_messages',
    id: 'curious',
    reads: { last: 1 },
    execute: async (state, messages) => {
      all = (await state.getMessages()).length;
      return messages;
    },
  });
  const { thread } = await kit.thread({ policies: [curious], script: ['ok'] });
  for (const draft of plain(0, 9)) await thread.inject(draft as never);
  await thread.send('now');
  expect(all).toBe(10);
});
