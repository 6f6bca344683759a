import { defineHook } from '@spec/hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKit, type Kit, lines, newFile, runWhatIsReady, thrownBy } from '../../test/kit.ts';
import { everything, readResults, testServer, withServer } from '../../test/mcp/servers.ts';
import type { PermissionAsk } from '../index.ts';
import { sqliteStore } from '../stores/sqlite/index.ts';
import { type McpServer, mcpServer } from './index.ts';

const call = (name: string, input: Record<string, unknown> = {}) => ({
  toolCalls: [{ name: `mcp__everything__${name}`, input }],
});

/** A runtime with a file of its own. */
async function withKit(run: (kit: Kit) => Promise<void>): Promise<void> {
  const kit = createKit(sqliteStore({ path: newFile() }));
  await run(kit).finally(() => kit.close());
}

describe('the tools of a published server, in a turn', { timeout: 30_000 }, () => {
  let server: McpServer;
  beforeAll(async () => {
    process.env.NOBODY_TOLD_SECRET = 'sk-very-secret';
    const env = { GREETING: 'hello' };
    server = await mcpServer({ name: 'everything', command: process.execPath, args: [everything], env });
  });
  afterAll(() => server.close());

  test('are called and answer', () =>
    withKit(async (kit) => {
      const script = [call('get-sum', { a: 20, b: 22 }), 'It is 42.'];
      const { thread, model } = await kit.thread({ tools: server.tools, script });
      expect(await thread.send('20 + 22?')).toMatchObject({ status: 'completed', text: 'It is 42.' });
      expect(await readResults(thread)).toEqual(['The sum of 20 and 22 is 42.']);

      const told = model.calls[0]?.tools?.find(({ name }) => name === 'mcp__everything__get-sum');
      expect(told).toMatchObject({
        description: expect.stringContaining('sum'),
        inputSchema: { type: 'object', required: ['a', 'b'] },
      });
    }));

  test('are held to the hooks that apply to every tool', () =>
    withKit(async (kit) => {
      const ran: string[] = [];
      const deny = defineHook({
        hook: 'before_tool_call',
        id: 'no_sums',
        match: 'mcp__everything__get-sum',
        execute: async (_state) => ({ decision: 'deny', reason: 'No sums today.' }),
      });
      const redact = defineHook({
        hook: 'before_store_tool_result',
        id: 'redact_echo',
        match: 'mcp__everything__*',
        execute: async (_state, _toolCall, result) => ({
          ...result,
          result: String(result.result).replace('4111 1111', '[CARD]'),
        }),
      });
      const watch = defineHook({
        hook: 'after_tool_call_success',
        id: 'watch',
        execute: async (_state, toolCall) => {
          ran.push(toolCall.function.name);
          return null;
        },
      });
      const script = [call('get-sum', { a: 1, b: 2 }), call('echo', { message: 'card 4111 1111' }), 'Done.'];
      const setup = { tools: server.tools, policies: [deny, redact, watch], script };
      const { thread, model } = await kit.thread(setup);
      await thread.send('Go on.');

      expect(await readResults(thread)).toEqual([
        'This tool call was denied by no_sums. No sums today.',
        'Echo: card [CARD]',
      ]);
      expect(ran).toEqual(['mcp__everything__echo']);
      expect(JSON.stringify(model.calls[2]?.prompt.at(-1))).not.toContain('4111 1111');
    }));

  test('give images as files of the thread', () =>
    withKit(async (kit) => {
      const script = [call('get-tiny-image'), 'A picture.'];
      const { thread } = await kit.thread({ tools: server.tools, script });
      await thread.send('Show it.');

      const [file] = await thread.state.listFiles();
      expect(file).toMatchObject({ name: 'image-1.png', mimeType: 'image/png' });
      const bytes = await thread.state.readFile(file?.path ?? '');
      expect([...(bytes ?? []).slice(1, 4)]).toEqual([...new TextEncoder().encode('PNG')]);
      expect((await readResults(thread))[0]).toContain('[Attached: image-1.png, image/png]');
    }));

  test('give the text of resources to the model, and their bytes as files', () =>
    withKit(async (kit) => {
      const script = [
        call('get-resource-reference', { resourceType: 'Text', resourceId: 7 }),
        call('get-resource-reference', { resourceType: 'Blob', resourceId: 7 }),
        call('get-resource-links', { count: 1 }),
        'Read.',
      ];
      const { thread } = await kit.thread({ tools: server.tools, script });
      await thread.send('Read them.');

      const [text, blob, link] = await readResults(thread);
      expect(text).toMatch(
        /\[Resource demo:\/\/resource\/dynamic\/text\/7\]\nResource 7: This is a plaintext/,
      );
      expect(blob).toContain('[Attached: 7, text/plain]');
      expect(link).toContain('[Resource Blob Resource 1: demo://resource/dynamic/blob/1]');
      const [file, ...more] = await thread.state.listFiles();
      expect(more).toEqual([]);
      const bytes = (await thread.state.readFile(file?.path ?? '')) ?? new Uint8Array();
      expect(new TextDecoder().decode(bytes)).toContain('Resource 7: This is a base64 blob');
    }));

  test('are refused by the server in its own words, and the model goes on', () =>
    withKit(async (kit) => {
      const script = [call('get-sum', { a: 'twenty' }), 'Never mind.'];
      const { thread } = await kit.thread({ tools: server.tools, script });
      expect(await thread.send('Sum it.')).toMatchObject({ status: 'completed' });
      expect((await readResults(thread))[0]).toContain('expected number, received string');
      const [, , row] = await thread.messages();
      expect(row).toMatchObject({ status: 'error' });
    }));

  test('see a few harmless variables of the environment and those they are given', () =>
    withKit(async (kit) => {
      const { thread } = await kit.thread({ tools: server.tools, script: [call('get-env'), 'Seen.'] });
      await thread.send('Look around.');
      const seen = JSON.parse((await readResults(thread))[0] ?? '') as Record<string, string>;
      expect(seen).toMatchObject({ GREETING: 'hello', PATH: process.env.PATH });
      expect(JSON.stringify(seen)).not.toContain('sk-very-secret');
    }));

  test('leave out what cannot be called plainly', () => {
    expect(server.toolNames).toContain('mcp__everything__echo');
    expect(server.toolNames).not.toContain('mcp__everything__simulate-research-query');
    expect(server.tools.map(({ name }) => name)).toEqual(server.toolNames);
  });

  test('end with the deadline, with an error that names the server', async () => {
    const options = {
      name: 'everything',
      command: process.execPath,
      args: [everything],
      timeout: '4s',
    } as const;
    await withServer(options, (slow) =>
      withKit(async (kit) => {
        const script = [call('trigger-long-running-operation', { duration: 60, steps: 1 }), 'Too slow.'];
        const { thread } = await kit.thread({ tools: slow.tools, script });
        const started = Date.now();
        await thread.send('Take your time.');
        expect(Date.now() - started).toBeLessThan(20_000);
        expect(await readResults(thread)).toEqual([
          'The MCP server "everything" did not answer within 4000 ms while trigger-long-running-operation ran; whether the call took effect is unknown.',
        ]);
      }),
    );
  });
});

describe('what an operator chooses', { timeout: 30_000 }, () => {
  const everythingAs = (name: string) => ({ name, command: process.execPath, args: [everything] });

  test.each<[string, unknown]>([
    ['permission must be one of allow, ask', { permission: async () => 'ask' }],
    ['permission must be one of allow, ask', { permission: () => undefined }],
    ['onInterrupted must be one of fail, retry', { onInterrupted: async () => 'retry' }],
  ])('what is decided by tool is decided at once: %s', async (rule, options) => {
    const server = {
      name: 'everything',
      command: process.execPath,
      args: [everything],
      ...(options as object),
    };
    await expect(mcpServer(server)).rejects.toMatchObject({
      code: 'bad_definition',
      message: expect.stringContaining(rule),
    });
  });

  test('permission by tool: a person is asked, and sees the input', () =>
    withServer(
      {
        ...everythingAs('everything'),
        permission: ({ annotations }) => (annotations?.readOnlyHint === true ? 'allow' : 'ask'),
        tools: ['echo', 'toggle-simulated-logging'],
      },
      (server) =>
        withKit(async (kit) => {
          const asked: PermissionAsk[] = [];
          const script = [call('echo', { message: 'hi' }), call('toggle-simulated-logging'), 'As you like.'];
          const onAsk = (ask: PermissionAsk) => asked.push(ask) < 0;
          const { thread } = await kit.thread({ tools: server.tools, script, onAsk });
          await thread.send('Both.');
          expect(asked.map((ask) => ask.about === 'tool_call' && ask.tool)).toEqual([
            'mcp__everything__toggle-simulated-logging',
          ]);
          expect((await readResults(thread))[1]).toBe('This tool call was denied. Permission was refused.');
        }),
    ));

  test('the tools, by the names the server gives them', async () => {
    await withServer(
      { ...everythingAs('e'), tools: ['get-sum', 'echo'], prefix: 'math_' },
      async (server) => {
        expect(server.toolNames).toEqual(['math_echo', 'math_get-sum']);
      },
    );
    const wrong = await thrownBy(mcpServer({ ...everythingAs('e'), tools: ['ecko'] }));
    expect(wrong.message).toMatch(
      /^The MCP server "e" has no tool "ecko" that can be called\. It has: echo, /,
    );
    expect(wrong.code).toBe('unknown_id');
  });

  test('two servers of the same kind in one runtime do not collide', () =>
    withServer({ ...everythingAs('one'), tools: ['echo'] }, (one) =>
      withServer({ ...everythingAs('two'), tools: ['echo'] }, (two) =>
        withKit(async (kit) => {
          const toolCalls = [one, two].map(({ name }) => ({
            name: `mcp__${name}__echo`,
            input: { message: name },
          }));
          const tools = [...one.tools, ...two.tools];
          const { thread } = await kit.thread({ tools, script: [{ toolCalls }, 'Both.'] });
          await thread.send('Both at once.');
          expect(await readResults(thread)).toEqual(['Echo: one', 'Echo: two']);
        }),
      ),
    ));

  test.each([
    [{ name: 'two__parts' }, /a name has 1 to 32 letters/],
    [{ name: 'ends_' }, /a name has/],
    [{ name: '' }, /a name has/],
    [{ name: 'e', prefix: 'has space' }, /a prefix has/],
    [{ name: 'e', timeout: 0 }, /timeout must be/],
  ])('%j is refused before anything is started', async (options, message) => {
    const error = await thrownBy(mcpServer({ command: '/nonexistent', ...options }));
    expect(error).toMatchObject({ name: 'DefinitionError', code: 'bad_option' });
    expect(error.message).toMatch(message);
  });
});

describe('a server that changes, ends or never starts', { timeout: 30_000 }, () => {
  test('is started again for the next call', () =>
    withServer({ name: 'tests', ...testServer() }, (server) =>
      withKit(async (kit) => {
        const ask = (name: string) => ({ toolCalls: [{ name: `mcp__tests__${name}` }] });
        const script = [ask('pid'), ask('crash'), ask('pid'), 'It is back.'];
        const { thread } = await kit.thread({ tools: server.tools, script });
        expect(await thread.send('Try it.')).toMatchObject({ status: 'completed' });
        const [before, crashed, after] = await readResults(thread);
        expect(crashed).toBe(
          'The MCP server "tests" ended while crash ran; whether the call took effect is unknown.',
        );
        expect(Number(before)).toBeGreaterThan(0);
        expect(Number(after)).toBeGreaterThan(0);
        expect(after).not.toBe(before);
      }),
    ));

  test('tells that its tools have changed; those that were taken stay', async () => {
    let told = 0;
    const onToolsChanged = () => {
      told++;
    };
    await withServer({ name: 'tests', ...testServer(), onToolsChanged }, (server) =>
      withKit(async (kit) => {
        const script = [{ toolCalls: [{ name: 'mcp__tests__grow' }] }, 'Grown.'];
        const { thread } = await kit.thread({ tools: server.tools, script });
        const before = [...server.toolNames];
        await thread.send('Grow.');
        await runWhatIsReady(50);
        expect(told).toBe(1);
        expect(server.toolNames).toEqual(before);
      }),
    );
  });

  test('tells about its use, and what it writes to stderr', async () => {
    let heard = '';
    const onStderr = (text: string) => {
      heard += text;
    };
    await withServer({ name: 'tests', ...testServer(), onStderr }, async (server) => {
      expect(server.instructions).toBe('Ask for the pid first.');
      expect(heard).toBe('ready\n');
    });
  });

  test('is cut off where it answers with more than 10 MB', () =>
    withServer({ name: 'tests', ...testServer() }, (server) =>
      withKit(async (kit) => {
        const script = [{ toolCalls: [{ name: 'mcp__tests__flood' }] }, 'Too much.'];
        const { thread } = await kit.thread({ tools: server.tools, script });
        await thread.send('Flood.');
        expect((await readResults(thread))[0]).toMatch(/^The MCP server "tests" ended while flood ran/);
      }),
    ));

  test('hears that a call was stopped', () =>
    withServer({ name: 'tests', ...testServer() }, (server) =>
      withKit(async (kit) => {
        const ask = (name: string) => ({ toolCalls: [{ name: `mcp__tests__${name}` }] });
        const script = [ask('wait'), ask('cancelled'), 'Once.'];
        const { thread } = await kit.thread({ tools: server.tools, script });
        const sending = thread.send('Wait.');
        for await (const event of thread.events()) if (event.type === 'tool_started') break;
        await runWhatIsReady(50);
        await thread.stop();
        expect(await sending).toMatchObject({ status: 'aborted' });
        await thread.send('How often was it cancelled?');
        expect((await lines(thread)).filter((line) => line.startsWith('tool:'))).toEqual([
          'tool: The turn was stopped before this tool call was finished.',
          'tool: 1',
        ]);
      }),
    ));

  test.each([
    ['no such command', { command: '/nonexistent/server' }, 'has no such command or working folder.'],
    ['ends at once', { command: process.execPath, args: ['-e', '0'] }, 'ended while it started.'],
    [
      'never answers',
      { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], timeout: 300 },
      'did not answer within 300 ms while it started.',
    ],
  ])('is told clearly: %s', async (_, options, message) => {
    const error = await thrownBy(mcpServer({ name: 'broken', ...options }));
    expect(error).toMatchObject({ name: 'RunError', code: 'tool_failed' });
    expect(error.message).toBe(`The MCP server "broken" ${message}`);
  });

  test('answers nothing once it is closed', async () => {
    const server = await mcpServer({ name: 'tests', ...testServer() });
    await server.close();
    await server.close();
    await withKit(async (kit) => {
      const script = [{ toolCalls: [{ name: 'mcp__tests__pid' }] }, 'Closed.'];
      const { thread } = await kit.thread({ tools: server.tools, script });
      await thread.send('Anyone there?');
      expect(await readResults(thread)).toEqual(['The MCP server "tests" is closed.']);
    });
  });
});
