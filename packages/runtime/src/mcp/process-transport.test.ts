import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { bundleProgram } from '../../test/bundle-program.ts';
import { createKit } from '../../test/kit.ts';
import { canFindProcesses, markedProcesses, untilGone } from '../../test/mcp/marked-processes.ts';
import { everything, testServer } from '../../test/mcp/servers.ts';
import { memoryStore } from '../stores/memory/index.ts';
import { type McpServer, mcpServer } from './index.ts';

const servers = {
  'a published server': { command: process.execPath, args: [everything] },
  'a server that a shell starts': {
    command: '/bin/sh',
    args: ['-c', `"$0" "$1"; true`, process.execPath, everything],
  },
  'a server that ignores the end of its input and SIGTERM': testServer('stubborn'),
};

async function callTool(server: McpServer, name: string): Promise<void> {
  const kit = createKit(memoryStore());
  const script = [{ toolCalls: [{ name: `mcp__${server.name}__${name}` }] }, 'Done.'];
  const { thread } = await kit.thread({ tools: server.tools, script });
  await thread.send('Go on.');
  await kit.close();
}

describe.skipIf(!canFindProcesses)('no process is left', { timeout: 30_000 }, () => {
  test.each(Object.entries(servers))('when %s is closed', async (_, options) => {
    const mark = randomUUID();
    process.env.MCP_TEST_MARK = mark; // For the watcher, which gets the whole environment.
    const server = await mcpServer({ name: 'tests', ...options, env: { MCP_TEST_MARK: mark } });
    expect(markedProcesses(mark).length).toBeGreaterThanOrEqual(2);
    await server.close();
    expect(await untilGone(mark, 100)).toEqual([]);
  });

  test.each([
    ['child', 'is closed'],
    ['child', 'crashes'],
    ['detached', 'is closed'],
    ['detached', 'crashes'],
  ])('of those a server started (%s), when it %s', async (tool, how) => {
    const mark = randomUUID();
    process.env.MCP_TEST_MARK = mark;
    const server = await mcpServer({ name: 'tests', ...testServer(), env: { MCP_TEST_MARK: mark } });
    await callTool(server, tool);
    const before = markedProcesses(mark).length;
    if (how === 'crashes') {
      await callTool(server, 'crash');
      expect(await untilGone(mark, 500)).toEqual([]);
    }
    expect(before).toBeGreaterThanOrEqual(3);
    await server.close();
    expect(await untilGone(mark, 100)).toEqual([]);
  });

  test.each([
    ['exits', 'exit', 500],
    ['is killed', 'wait', 3_000],
  ])('when the process that has the servers %s', async (_, end, withinMs) => {
    const mark = randomUUID();
    const node = [await bundleProgram('mcp/parent'), end];
    const parent = spawn(
      process.execPath,
      [...node, ...Object.values(servers).map((one) => JSON.stringify(one))],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, MCP_TEST_MARK: mark },
      },
    );
    expect(String(await once(parent.stdout, 'data'))).toBe('ready\n');
    if (end === 'wait') {
      expect(markedProcesses(mark).length).toBeGreaterThanOrEqual(2 * Object.keys(servers).length + 1);
      parent.kill('SIGKILL');
    }
    await once(parent, 'exit');
    expect(await untilGone(mark, withinMs)).toEqual([]);
  });
});
