import { type ChildProcess, spawn } from 'node:child_process';
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
