import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createGateway, type Gateway } from '@spec/gateway';
import { expect, onTestFinished, test } from 'vitest';
import { type HttpPlace, listenForClients } from './serve-http.ts';

/** A gateway that counts its clients, served over HTTP for one test. */
async function serve(place: Partial<HttpPlace> = {}): Promise<{ url: string; count: () => number }> {
  const gateway = createGateway({ servers: [{ name: 'notes', open: openServer }] });
  let count = 0;
  const counted: Gateway = {
    ...gateway,
    async connect(transport) {
      const session = await gateway.connect(transport);
      count++;
      void session.closed.then(() => count--);
      return session;
    },
  };
  const { url, close } = await listenForClients(counted, { port: 0, ...place });
  onTestFinished(async () => {
    close();
    await gateway.close();
  });
  return { url, count: () => count };
}

function openServer(): Transport {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  server.registerTool('read', {}, () => ({ content: [{ type: 'text', text: 'A note.' }] }));
  void server.connect(theirs as Transport);
  return ours as Transport;
}

/** `fetch` sets the headers of browsers by itself. */
function post(url: string, headers: Record<string, string>, body: object = {}): Promise<number> {
  const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers: { ...accept, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.once('error', reject).end(JSON.stringify(body));
  });
}

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };

async function connect(url: string): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const transport = new StreamableHTTPClientTransport(new URL(url));
  const client = new Client({ name: 'tests', version: '1.0.0' });
  await client.connect(transport as Transport);
  return { client, transport };
}

test.each<[string, Record<string, string>]>([
  ['a name that leads here', { host: 'evil.example' }],
  ['a name with the right port', { host: 'evil.example:80' }],
  ['the page of another', { origin: 'https://evil.example' }],
  ['a page that hides where it is from', { origin: 'null' }],
  ['a page of another port of this machine', { origin: 'http://localhost:1' }],
])('refuses what asks as %s', async (_, headers) => {
  const { url, count } = await serve();
  expect(await post(url, headers, list)).toBe(403);
  expect(count()).toBe(0);
});

test('keeps nothing of what does not begin as clients do, and nobody takes the session of another', async () => {
  const { url, count } = await serve();
  for (let n = 0; n < 20; n++) expect(await post(url, {}, list)).toBe(400);
  await expect.poll(count).toBe(0);
  const { client, transport } = await connect(url);
  expect(await post(url, { 'mcp-session-id': '1-2-3' }, list)).toBe(404);
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(400);
  expect((await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': 'x' } })).status).toBe(404);
  expect(JSON.stringify(await client.callTool({ name: 'read' }))).toContain('A note.');
  await transport.terminateSession();
  await expect.poll(count).toBe(0);
});

test('forgets a client that has come and never asks, though it never says good-bye', async () => {
  const { url, count } = await serve({ idleMs: 50 });
  expect(await post(url, {}, { ...list, method: 'initialize', params })).toBe(200);
  await expect.poll(count).toBe(0);
});

test('gives the place of the client that has been idle longest to a new one, and never that of one that listens', async () => {
  const { url, count } = await serve({ maxClients: 3 });
  const begin = () => post(url, {}, { ...list, method: 'initialize', params });
  const { client } = await connect(url); // It listens for what it has not asked for.
  for (let n = 0; n < 6; n++) expect(await begin()).toBe(200);
  await expect.poll(count).toBe(3);
  expect(JSON.stringify(await client.callTool({ name: 'read' }))).toContain('A note.');
  const others = [await connect(url), await connect(url)];
  expect(await begin()).toBe(503);
  await Promise.all([client, ...others.map((one) => one.client)].map((one) => one.close()));
});
