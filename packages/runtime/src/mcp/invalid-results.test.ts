import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createKit, thrownBy } from '../../test/kit.ts';
import { readResults, withServer } from '../../test/mcp/servers.ts';
import { memoryStore } from '../stores/memory/index.ts';
import { type McpServerOptions, mcpServer } from './index.ts';

const script = fileURLToPath(new URL('../../test/mcp/raw-server.mjs', import.meta.url));
const raw = (how: string): McpServerOptions => ({
  name: 'raw',
  command: process.execPath,
  args: [script, how],
});
const call = (name: string) => ({ toolCalls: [{ name: `mcp__raw__${name}` }] });

describe('a result that is none fails its call and no other', { timeout: 30_000 }, () => {
  test.each(['number', 'unknown', 'image'])('%s', async (bad) => {
    const kit = createKit(memoryStore());
    await withServer(raw('calls'), async ({ tools }) => {
      const { thread: waiting } = await kit.thread({ tools, script: [call('slow'), 'It answered.'] });
      const { thread } = await kit.thread({ tools, script: [call(bad), call('go'), 'Gone on.'] });
      const slow = waiting.send('Wait.');
      for await (const { type } of waiting.events()) if (type === 'tool_started') break;
      await thread.send('Go on.');
      await slow;
      const [failure, server] = await readResults(thread);
      expect(failure).toBe(
        `The MCP server "raw" gave no valid result while ${bad} ran; whether the call took effect is unknown.`,
      );
      expect(Number(server)).toBeGreaterThan(0);
      expect(await readResults(waiting)).toEqual([server]);
    }).finally(() => kit.close());
  });
});

test('a result in the form of 2024 is one, and a task that nobody asked for is none', {
  timeout: 30_000,
}, async () => {
  const kit = createKit(memoryStore());
  await withServer(raw('calls'), async ({ tools }) => {
    const { thread } = await kit.thread({ tools, script: [call('older'), call('task'), 'Gone on.'] });
    await thread.send('Go on.');
    expect(await readResults(thread)).toEqual([
      '{"paid":true}',
      'The MCP server "raw" began a task that nobody asked for while task ran; whether the call took effect is unknown.',
    ]);
  }).finally(() => kit.close());
});

test('an error is the server’s answer, whichever code it has', { timeout: 30_000 }, async () => {
  const kit = createKit(memoryStore());
  await withServer(raw('calls'), async ({ tools }) => {
    const { thread } = await kit.thread({ tools, script: [call('full'), call('late'), 'Gone on.'] });
    await thread.send('Go on.');
    expect(await readResults(thread)).toEqual([
      'MCP error -32000: the disk is full',
      'MCP error -32001: the backend is late',
    ]);
  }).finally(() => kit.close());
});

/** Answers `slow` when `go` is called, `broken` with HTTP 500, and `garbled` with what is no JSON. */
async function httpServer(): Promise<{ server: Server; url: string }> {
  const waiting: Array<() => void> = [];
  const tools = ['slow', 'go', 'broken', 'garbled'].map((name) => ({
    name,
    inputSchema: { type: 'object' },
  }));
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const answer = (result: object): void => say(response, JSON.stringify({ jsonrpc: '2.0', id, result }));
    const answerCall = (): void => answer({ content: [{ type: 'text', text: 'answered' }] });
    if (method === 'initialize')
      return answer({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'http', version: '1' },
      });
    if (method === 'tools/list') return answer({ tools });
    if (params.name === 'broken') return void response.writeHead(500).end();
    if (params.name === 'garbled') return say(response, 'no JSON');
    waiting.push(answerCall);
    if (waiting.length === 2) for (const one of waiting) one();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

function say(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

test.each(['broken', 'garbled'])(
  'a request that fails over HTTP ends no other call: %s',
  {
    timeout: 30_000,
  },
  async (bad) => {
    const { server, url } = await httpServer();
    const kit = createKit(memoryStore());
    await withServer({ name: 'raw', url }, async ({ tools }) => {
      const { thread: waiting } = await kit.thread({ tools, script: [call('slow'), 'It answered.'] });
      const { thread } = await kit.thread({ tools, script: [call(bad), call('go'), 'Gone on.'] });
      const slow = waiting.send('Wait.');
      for await (const { type } of waiting.events()) if (type === 'tool_started') break;
      await thread.send('Go on.');
      await slow;
      expect(await readResults(thread)).toEqual([
        expect.stringMatching(/^The MCP server "raw" .* while (broken|garbled) ran; whether/),
        'answered',
      ]);
      expect(await readResults(waiting)).toEqual(['answered']);
    }).finally(() => kit.close());
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
);

test('a list of tools that is none is told clearly', { timeout: 30_000 }, async () => {
  expect(await thrownBy(mcpServer(raw('formless')))).toMatchObject({
    code: 'tool_failed',
    message: 'The MCP server "raw" gave no valid result while it listed its tools.',
  });
});
