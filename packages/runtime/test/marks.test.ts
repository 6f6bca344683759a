import { defineHook, type TurnMark } from '@spec/hooks';
import { expect } from 'vitest';
import { defineTool } from '../src/index.ts';
import { onBothStores, thrownBy } from './kit.ts';

const ping = defineTool({ name: 'ping', execute: () => 'pong' });
const fail = defineTool({
  name: 'fail',
  execute: () => {
    throw new Error('no luck');
  },
});
const twoCalls = { toolCalls: [{ name: 'ping' }, { name: 'fail' }] };

const keep = defineHook({ hook: 'after_create_message', id: 'watch', execute: async () => {} });

/** What a mark says, without what differs from run to run. */
function describeMark({ threadId: _, turnId: _turn, at, ms, ...mark }: TurnMark): unknown {
  expect(at).toBeGreaterThan(Date.UTC(2020, 0) * 1_000);
  expect(ms).toBeGreaterThanOrEqual(0);
  return mark;
}

onBothStores(
  'a turn leaves marks of its model calls, its tools and its end',
  async ({ store, thread: start }) => {
    const { thread } = await start({ tools: [ping, fail], script: [twoCalls, 'Done.'] });
    const { turnId } = await thread.send('Go');
    const calls = await store.listToolCalls(thread.id);
    const marks = await store.listMarks(thread.id, turnId);
    const isTool = ({ kind }: TurnMark): boolean => kind === 'tool'; // They end in any order.
    expect(marks.map(({ kind }) => kind)).toEqual(['model', 'tool', 'tool', 'model', 'end']);
    expect(new Set(marks.filter(isTool).map(describeMark))).toEqual(
      new Set([
        { kind: 'tool', call: calls[0]?.id, tool: 'ping', status: 'success', step: 1 },
        { kind: 'tool', call: calls[1]?.id, tool: 'fail', status: 'error', step: 1 },
      ]),
    );
    const sent = (count: number) => ({ request: count, stored: count, leftOut: 0, left: [] });
    expect(marks.filter((one) => !isTool(one)).map(describeMark)).toEqual([
      { kind: 'model', model: 'scripted', step: 1, sent: sent(1) },
      { kind: 'model', model: 'scripted', step: 2, sent: sent(4) },
      { kind: 'end', status: 'completed', step: 2 },
    ]);
    expect(new Set(marks.map((mark) => mark.turnId))).toEqual(new Set([turnId]));
  },
);

onBothStores('what hooks leave out of a request stands in its mark', async ({ store, thread: start }) => {
  const { thread } = await start({
    policies: [
      keep,
      defineHook({
        hook: 'filter_messages',
        id: 'newest',
        execute: async (_, messages) => messages.slice(-1),
      }),
      defineHook({
        hook: 'prefilter_llm_history',
        id: 'add',
        execute: async (_, messages) => [{ role: 'user', content: 'Be brief.' }, ...messages],
      }),
    ],
    script: ['One.', 'Two.'],
  });
  await thread.send('First');
  const { turnId } = await thread.send('Second');
  const [first, answer] = await thread.messages();
  const marks = await store.listMarks(thread.id, turnId);
  expect(marks.filter(({ kind }) => kind === 'model')).toMatchObject([
    { sent: { request: 2, stored: 1, leftOut: 2, left: [first?.id, answer?.id] } },
  ]);
});

onBothStores(
  'a question to a person, and a turn that fails, leave marks',
  async ({ store, thread: start }) => {
    const { thread } = await start({
      policies: [
        defineHook({
          hook: 'before_tool_call',
          id: 'ask',
          execute: async () => ({ decision: 'ask', reason: 'Sure?' }),
        }),
        defineHook({
          hook: 'before_create_message',
          id: 'no_sorry',
          execute: async (_, message) => {
            if (message.content === 'Sorry.') throw new Error('never sorry');
            return message;
          },
        }),
      ],
      tools: [ping],
      script: [{ toolCalls: [{ name: 'ping' }] }, 'Sorry.'],
      onAsk: () => true,
    });
    expect(await thrownBy(thread.send('Go', { id: 'turn-1' }))).toMatchObject({ code: 'hook_failed' });
    const [call] = await store.listToolCalls(thread.id);
    const marks = await store.listMarks(thread.id, 'turn-1');
    expect(marks.map(describeMark)).toMatchObject([
      { kind: 'model' },
      { kind: 'ask', about: 'tool_call', call: call?.id, allowed: true },
      { kind: 'tool', tool: 'ping', status: 'success' },
      { kind: 'model' },
      { kind: 'end', status: 'failed', code: 'hook_failed', step: 2 },
    ]);
  },
);

onBothStores(
  'a turn whose message is denied took no longer than it was',
  async ({ store, thread: start }) => {
    const deny = defineHook({
      hook: 'before_user_message',
      id: 'deny',
      execute: async () => ({ decision: 'deny', reason: 'Be polite.' }),
    });
    const { thread } = await start({ policies: [deny], script: [] });
    const began = performance.now();
    await thread.send('Damn.', { id: 'turn-1' });
    const longest = performance.now() - began;
    const [end] = await store.listMarks(thread.id, 'turn-1');
    expect(end).toMatchObject({ kind: 'end', status: 'denied' });
    expect(end?.ms).toBeLessThanOrEqual(longest);
  },
);

onBothStores('without a ledger there are no marks', async ({ store, thread: start }) => {
  const { thread } = await start({ script: ['Done.'], ledger: 'off' });
  await thread.send('Go');
  expect(await store.listMarks(thread.id)).toEqual([]);
});
