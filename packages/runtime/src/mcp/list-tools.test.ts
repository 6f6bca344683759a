import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createKit, thrownBy } from '../../test/kit.ts';
import { withServer } from '../../test/mcp/servers.ts';
import { memoryStore } from '../stores/memory/index.ts';
import { type McpServerOptions, mcpServer } from './index.ts';

const script = fileURLToPath(new URL('../../test/mcp/raw-server.mjs', import.meta.url));
const raw = (how: string): McpServerOptions => ({
  name: 'raw',
  command: process.execPath,
  args: [script, how],
});

describe('a server that lists tools without end is refused', { timeout: 30_000 }, () => {
  test.each([
    ['circle', /lists its tools in a circle: a cursor came again/],
    ['endless', /lists its tools on more than 1000 pages/],
    ['many', /lists more than 20000 tools/],
    ['at-once', /lists more than 20000 tools/],
    ['deep', /describes a tool that is nested too deep/],
  ])('%s', async (how, why) => {
    const error = await thrownBy(mcpServer(raw(how)));
    expect(error).toMatchObject({ code: 'tool_failed', message: expect.stringMatching(why) });
  });

  test('also by the time for all pages together', async () => {
    const error = await thrownBy(mcpServer({ ...raw('endless'), timeout: 1 }));
    expect(error).toMatchObject({ code: 'tool_failed' });
  });
});

test('of a tool that is listed twice the first is taken, and the application starts', {
  timeout: 30_000,
}, async () => {
  const warnings: Array<Error & { code?: string }> = [];
  const hear = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', hear);
  await withServer(raw('twice'), async (server) => {
    expect(server.toolNames).toEqual(['mcp__raw__pay', 'mcp__raw__look']);
    expect(server.tools.map(({ description }) => description)).toEqual(['first', 'only']);
    expect(server.repeated).toEqual(['pay']);
    const kit = createKit(memoryStore());
    await kit.thread({ tools: server.tools });
    await kit.close();
  });
  await new Promise(setImmediate);
  process.off('warning', hear);
  const ours = warnings.filter(({ code }) => code === 'MCP_REPEATED_TOOL');
  expect(ours).toMatchObject([
    { message: expect.stringContaining('server "raw" lists 1 of its tool names') },
  ]);
});
