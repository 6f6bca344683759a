// What the routes give of a conversation that a runtime held.
import { expect, test } from 'vitest';
import type {
  ConversationPage,
  LiveEvent,
  RunPage,
  SentBesideStored,
  ThreadPage,
  TurnPage,
} from '../src/api.ts';
import { serve } from './serve.ts';
import { card, conversation, makeSupportStore, openSupport } from './support-store.ts';

test('a list of threads has what was said last, and what hooks did of late', async () => {
  const { path } = await makeSupportStore();
  const { get } = await serve(path);
  const { items, next } = await get<ThreadPage>('/api/threads');
  expect(next).toBeNull();
  expect(items).toMatchObject([
    {
      id: 'order-1042',
      agentId: 'support',
      newest: { role: 'assistant', text: 'Orders cannot be deleted here.' },
      recent: { hasMore: false, outcomes: { changed: expect.any(Number), denied: 1, skipped: 1 } },
    },
  ]);
  expect(await get('/api/threads?agent=other')).toEqual({ items: [], next: null });
  expect(await get('/api/threads/order-1042')).toMatchObject({ id: 'order-1042', children: [] });
  expect(await get('/api/threads/none')).toMatchObject({ error: { code: 'not_found' } });
});

const shown = ({ messages }: ConversationPage) =>
  messages.map(({ role, content, runs }) => [
    role,
    content ?? '',
    runs.map(({ id, outcome }) => `${id} ${outcome}`),
  ]);

test('every message has the hooks that ran on it, and the calls that they decided on', async () => {
  const { path, thread } = await makeSupportStore();
  const { get } = await serve(path);
  const page = await get<ConversationPage>(`/api/threads/${thread}/messages`);
  const told = ['stamp ok', 'audit ok'];
  expect(shown(page)).toEqual([
    ['user', 'How did I pay?', told],
    ['assistant', '', [...told, 'no_deletes skipped']],
    ['tool', 'Paid with [CARD].', ['redact_cards changed', ...told]],
    ['assistant', 'You paid by card.', told],
    ['user', 'Then delete my order.', told],
    ['assistant', '', [...told, 'no_deletes denied']],
    ['tool', expect.stringContaining('Orders are not deleted here.'), ['redact_cards ok', ...told]],
    ['assistant', 'Orders cannot be deleted here.', told],
  ]);
  expect(page).toMatchObject({ hasOlder: false, hasNewer: false, hasAllRuns: true });
  const loose = page.messages.flatMap(({ before }) => before.map(({ id }) => id));
  expect([...loose, ...page.after.map(({ id }) => id)]).toEqual(Array(4).fill('limit_history'));
});

test('pieces of a conversation join without a gap, from both sides and around a message', async () => {
  const { path, thread } = await makeSupportStore();
  const { get } = await serve(path);
  const read = (query: string) => get<ConversationPage>(`/api/threads/${thread}/messages?size=3&${query}`);
  const whole = await get<ConversationPage>(`/api/threads/${thread}/messages`);
  const ids = whole.messages.map(({ id }) => id);
  const end = await read('');
  expect(end.messages).toEqual(whole.messages.slice(5));
  expect(end).toMatchObject({ hasOlder: true, hasNewer: false });
  const middle = await read(`before=${ids[5]}`);
  expect(middle.messages).toEqual(whole.messages.slice(2, 5));
  expect(middle).toMatchObject({ hasOlder: true, hasNewer: true });
  const start = await read(`before=${ids[2]}`);
  expect(start.messages).toEqual(whole.messages.slice(0, 2));
  expect(start).toMatchObject({ hasOlder: false, hasNewer: true });
  expect((await read(`after=${ids[1]}`)).messages).toEqual(middle.messages);
  for (const [at, id] of ids.entries()) {
    const around = await read(`around=${id}`);
    expect(around.messages).toEqual(whole.messages.slice(Math.max(0, at - 1), at + 3));
  }
  expect(await read('around=none')).toMatchObject({ error: { code: 'not_found' } });
});

test('a run is found by its name, with values only where they were traced and asked for', async () => {
  const { path, thread } = await makeSupportStore('values');
  const { get } = await serve(path);
  const { items } = await get<RunPage>('/api/runs?id=redact_cards&outcome=changed');
  expect(items).toHaveLength(1);
  const [run] = items;
  const plain = await get(`/api/runs/${run?.run}`);
  expect(plain).toEqual(run);
  expect(JSON.stringify(await get(`/api/runs/${run?.run}?values=1`))).toContain(card);
  for (const path of [
    '/api/runs',
    '/api/stats',
    '/api/threads',
    `/api/threads/${thread}/messages`,
    `/api/runs/${run?.run}`,
  ])
    expect(JSON.stringify(await get(path)), path).not.toContain(card);
  const walled = await serve(path, { showsContent: false });
  const hidden = await Promise.all(
    ['/api/threads', `/api/threads/${thread}/messages`, `/api/runs/${run?.run}?values=1`].map((path) =>
      walled.get(path),
    ),
  );
  expect(JSON.stringify(hidden)).not.toMatch(/4111 1111|How did|get_payment\\|A-1042|\[CARD\]/);
  expect(JSON.stringify(hidden)).toContain('redact_cards');
});

test('what is asked for in another form is refused by name', async () => {
  const { path } = await makeSupportStore();
  const { get } = await serve(path);
  for (const [route, message] of [
    ['/api/threads?size=0', 'size must be 1 to 200'],
    ['/api/threads?cursor=x', 'cursor must be one that the records gave'],
    ['/api/runs?since=yesterday', 'since must be microseconds'],
    ['/api/runs?order=up', 'order must be newest or oldest'],
  ] as const)
    expect(await get(route)).toEqual({
      error: { code: 'invalid_input', message: expect.stringContaining(message) },
    });
});

test('the stream tells that something was stored or deleted, by the process of the runtime', async () => {
  const { path, thread } = await makeSupportStore();
  const { port, token } = await serve(path);
  const end = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/api/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal: end.signal,
  });
  const events = readEvents(response);
  expect((await events.next()).value).toEqual({ kind: 'ready' });
  const runtime = openSupport(path, conversation);
  await (await runtime.openThread(thread)).send('How did I pay?');
  expect((await events.next()).value).toEqual({ kind: 'moved' });
  await runtime.close();
  end.abort();
});

async function* readEvents(response: Response): AsyncGenerator<LiveEvent> {
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += new TextDecoder().decode(bytes);
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts)
      if (part.startsWith('data: ')) yield JSON.parse(part.slice('data: '.length)) as LiveEvent;
  }
}

test('what a model was sent stands beside what was stored then', async () => {
  const { path, thread } = await makeSupportStore();
  const runtime = openSupport(path, ['First.', 'Second.']);
  const running = await runtime.openThread(thread);
  await running.send('And now?');
  await running.send('And then?');
  await runtime.close();
  const { get } = await serve(path);
  const [turn] = (await get<TurnPage>(`/api/threads/${thread}/turns`)).items;
  const { rows, added, isAll } = await get<SentBesideStored>(
    `/api/threads/${thread}/turns/${turn?.turnId}/sent/1`,
  );
  expect(isAll).toBe(true);
  expect(added).toBe(0);
  expect(rows.at(-1)).toMatchObject({ content: 'And then?', isSent: true });
  expect(rows.map(({ isSent }) => isSent)).toEqual([...Array(3).fill(false), ...Array(8).fill(true)]);
  expect(await get(`/api/threads/${thread}/turns/${turn?.turnId}/sent/9`)).toMatchObject({
    error: { code: 'not_found' },
  });
});
