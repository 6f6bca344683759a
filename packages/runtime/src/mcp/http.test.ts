import { type ChildProcess, spawn } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKit, thrownBy } from '../../test/kit.ts';
import { everything, readResults, withServer } from '../../test/mcp/servers.ts';
import { memoryStore } from '../stores/memory/index.ts';
import { mcpServer } from './index.ts';

let program: ChildProcess;
let port: number;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: free } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return free;
}

async function startProgram(): Promise<void> {
  program = spawn(process.execPath, [everything, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve) => {
    program.stderr?.on('data', (text: Uint8Array) => String(text).includes('listening') && resolve());
  });
}

async function stopProgram(): Promise<void> {
  const ended = new Promise((resolve) => program.once('exit', resolve));
  program.kill('SIGKILL');
  await ended;
}

beforeAll(async () => {
  port = await freePort();
  await startProgram();
});
afterAll(() => stopProgram());

const echo = { toolCalls: [{ name: 'mcp__remote__echo', input: { message: 'over http' } }] };

test('a server at an address gives its tools too, and is found again after it went away', {
  timeout: 30_000,
}, async () => {
  const kit = createKit(memoryStore());
  await withServer(
    { name: 'remote', url: `http://127.0.0.1:${port}/mcp`, tools: ['echo'] },
    async (server) => {
      const script = [echo, 'Heard.', echo, 'Gone.', echo, 'Unknown.', echo, 'Back.'];
      const { thread } = await kit.thread({ tools: server.tools, script });
      await thread.send('Say it.');
      await stopProgram();
      await thread.send('Again.');
      await startProgram();
      await thread.send('Again.');
      await thread.send('Again.');
      const results = await readResults(thread);
      expect(results[0]).toBe('Echo: over http');
      expect(results[1]).toMatch(/^The MCP server "remote" could not be reached while echo ran;/);
      expect(results.at(-1)).toBe('Echo: over http');
    },
  );
  await kit.close();
});

test('an address where no server is is told clearly', { timeout: 30_000 }, async () => {
  const error = await thrownBy(
    mcpServer({ name: 'remote', url: `http://127.0.0.1:${await freePort()}/mcp` }),
  );
  expect(error.message).toBe('The MCP server "remote" could not be reached while it started.');
  const wrong = await thrownBy(mcpServer({ name: 'remote', url: `http://127.0.0.1:${port}/nowhere` }));
  expect(wrong.message).toBe('The MCP server "remote" answered with HTTP 404 while it started.');
});

test('a server that opens its stream of events and says nothing in it is given up', {
  timeout: 30_000,
}, async () => {
  let ended = (): void => {};
  const isEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const silent = createHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': nothing\n\n');
    response.once('close', ended);
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port: at } = silent.address() as AddressInfo;
  const url = `http://127.0.0.1:${at}/sse`;
  const error = await thrownBy(mcpServer({ name: 'silent', url, sse: true, timeout: 500 }));
  expect(error).toMatchObject({
    code: 'tool_failed',
    message: 'The MCP server "silent" did not answer within 500 ms while it started.',
  });
  await isEnded;
  await new Promise((resolve) => silent.close(resolve));
});
