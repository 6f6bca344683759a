// Questions that wait for a person, answered over the routes by another handle of the same file; and the page inside of another server.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  askThroughStore,
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  storedAsks,
} from '@spec/runtime';
import { sqliteReader, sqliteStore } from '@spec/runtime/sqlite';
import { scriptedModel } from '@spec/runtime/testing';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import type { ConversationPage } from '../src/api.ts';
import type { AskList } from '../src/asks.ts';
import { type Asks, createInspector } from '../src/index.ts';
import { serve } from './serve.ts';
import { card, makeSupportStore, newPath } from './support-store.ts';

test('a question is listed with all that would run, and answered once, as it was seen', async () => {
  const path = newPath();
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  const runtime = createRuntime({
    store,
    onAsk: askThroughStore({ store, everyMs: 10 }),
    models: {
      scripted: scriptedModel([
        { toolCalls: [{ name: 'refund', input: { amount: 80 } }] },
        'Refunded.',
        { toolCalls: [{ name: 'refund', input: { amount: 90 } }] },
        'No.',
      ]),
    },
    tools: [defineTool({ name: 'refund', permission: 'ask', execute: () => 'done' })],
    prompts: [definePrompt({ name: 'support', tools: ['refund'] })],
    agents: [defineAgent({ name: 'support', prompt: 'support' })],
  });
  const thread = await runtime.createThread({ agent: 'support', id: '..' });
  const sent = thread.send('Refund me.');
  const other = sqliteStore({ path, synchronous: 'NORMAL' });
  const { port, token, get } = await serve(path, { asks: storedAsks(other) });
  const find = async () => (await get<AskList>('/api/asks')).asks[0];
  await expect.poll(find).toMatchObject({ tool: 'refund', input: { amount: 80 }, threadId: '..' });
  const ask = await find();
  const reply = async (body: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/answers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ thread: '..', id: ask?.id, digest: ask?.digest, allow: true, ...body }),
    });
    return answer.status;
  };
  expect(await reply({ digest: 'of another question' })).toBe(409);
  expect(await reply({ id: 'none' })).toBe(404);
  expect(await reply({ allow: 'yes' })).toBe(400);
  expect(await reply({})).toBe(200);
  await sent;
  expect(await reply({ allow: false })).toBe(404);
  const page = await get<ConversationPage>('/api/threads/~002e002e/messages');
  expect(page.messages.map(({ content }) => content)).toEqual(['Refund me.', null, 'done', 'Refunded.']);
  const again = thread.send('And again.');
  await expect.poll(find).toMatchObject({ input: { amount: 90 } });
  const second = await find();
  const earlier = `/api/asks/~002e002e/${encodeURIComponent(second?.id ?? '')}/earlier`;
  expect(await get(earlier)).toEqual({
    answers: [{ allowed: true, at: expect.any(Number), ms: expect.any(Number) }],
  });
  expect(await reply({ id: second?.id, digest: second?.digest, allow: false })).toBe(200);
  await again;
  await runtime.close();
  await store.close();
  await other.close();
});

test('a conversation is a page that runs nothing and loads nothing, and runs are a table that calculates nothing', async () => {
  const { path, thread } = await makeSupportStore('values');
  const { port, token } = await serve(path);
  const read = async (form: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/export/${form}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return { text: await answer.text(), kept: answer.headers.get('content-disposition') };
  };
  const { text: html, kept } = await read(`threads/${thread}/html`);
  expect(kept).toBe('attachment; filename="conversation.html"');
  expect(html).toContain('How did I pay?');
  expect(html).toContain("default-src 'none'; style-src 'sha256-");
  expect(html).toMatch(/redact_cards<\/bdi><\/b> changed/);
  expect(html).not.toMatch(/<script|<link|<img|<a |javascript:|https?:\/\//);
  expect(html).not.toContain(card);
  const lines = (await read(`threads/${thread}/jsonl`)).text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).role)).toHaveLength(8);
  const [head, ...rows] = (await read('runs/csv?id=no_deletes')).text.trim().split('\r\n');
  expect(head).toMatch(/^at,threadId,turnId/);
  expect(rows).toHaveLength(2);
  const hidden = await serve(path, { showsContent: false });
  expect(await hidden.get(`/api/export/threads/${thread}/html`)).toMatchObject({
    error: { code: 'invalid_input' },
  });
});

const page = new Map([
  [
    '/index.html',
    {
      type: 'text/html',
      bytes: new TextEncoder().encode('<html lang="en"><script src="/assets/page.js"></script></html>'),
    },
  ],
]);

test('inside of a server of somebody else it stands at its path, behind their login, and other pages get nothing', async () => {
  const { path } = await makeSupportStore();
  const records = sqliteReader({ path });
  const inspector = createInspector({ records }, page).embed({ base: '/admin/hooks' });
  const app = new Hono();
  app.use('/admin/*', async (c, next) =>
    c.req.header('cookie') === 'login=yes' ? next() : c.text('login', 401),
  );
  app.all('/admin/hooks/*', (c) => inspector.fetch(c.req.raw));
  app.all('/admin/hooks', (c) => inspector.fetch(c.req.raw));
  const node = createServer(inspector.listener);
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    inspector.close();
    node.close();
    await records.close();
  });
  const host = `127.0.0.1:${(node.address() as AddressInfo).port}`;
  const ask = (to: string, headers: Record<string, string> = {}) =>
    app.request(`http://app.test${to}`, { headers: { host: 'app.test', cookie: 'login=yes', ...headers } });
  expect((await ask('/admin/hooks/api/threads', { cookie: '' })).status).toBe(401);
  expect(await (await ask('/admin/hooks/api/threads')).json()).toMatchObject({
    items: [{ id: 'order-1042' }],
  });
  expect(await (await ask('/admin/hooks/t/order-1042')).text()).toBe(
    '<html data-base="/admin/hooks" data-login="application" lang="en"><script src="/admin/hooks/assets/page.js"></script></html>',
  );
  expect((await ask('/admin/hooks')).headers.get('content-security-policy')).toContain("default-src 'none'");
  for (const headers of [
    { origin: 'http://evil.test' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ])
    expect((await ask('/admin/hooks/api/threads', headers as never)).status, JSON.stringify(headers)).toBe(
      403,
    );
  const post = (headers: Record<string, string>) =>
    app.request('http://app.test/admin/hooks/api/explain', {
      method: 'POST',
      body: '{"thread":"none","message":"none"}',
      headers: { host: 'app.test', cookie: 'login=yes', 'content-type': 'application/json', ...headers },
    });
  expect((await post({})).status).toBe(403);
  expect((await post({ origin: 'http://app.test' })).status).toBe(404);
  expect((await post({ origin: 'http://evil.test' })).status).toBe(403);
  // A proxy before it gives it another host than the browser knows: the browser itself says whose page it is.
  const proxied = { origin: 'https://public.test', host: 'backend:3000' };
  expect((await post({ ...proxied, 'sec-fetch-site': 'same-origin' })).status).toBe(404);
  for (const site of ['cross-site', 'same-site', 'none'])
    expect((await post({ ...proxied, 'sec-fetch-site': site })).status).toBe(403);
  // Servers that are made of `Request` alone have the host in the address.
  const bare = new Request('http://app.test/admin/hooks/api/explain', {
    ...{ method: 'POST', body: '{"thread":"none","message":"none"}' },
    headers: { origin: 'http://app.test', 'content-type': 'application/json' },
  });
  expect((await inspector.fetch(bare)).status).toBe(404);
  const answer = await fetch(`http://${host}/admin/hooks/api/threads`);
  expect(await answer.json()).toMatchObject({ items: [{ id: 'order-1042' }] });
  const posted = await fetch(`http://${host}/admin/hooks/api/explain`, {
    method: 'POST',
    body: '{"thread":"none","message":"none"}',
    headers: { origin: `http://${host}`, 'content-type': 'application/json' },
  });
  expect(await posted.json()).toMatchObject({ error: { message: 'There is no such message.' } });
  expect((await fetch(`http://${host}/other`)).status).toBe(404);
  expect(() => createInspector({ records }, page).embed({ base: 'admin/' })).toThrow('base must be a path');
});

test('questions are not shown where nothing is: they hold the arguments of calls', async () => {
  const { path } = await makeSupportStore();
  const asks: Asks = { list: async () => [], answer: async () => false };
  await expect(serve(path, { asks, showsContent: false })).rejects.toMatchObject({ code: 'bad_option' });
});
