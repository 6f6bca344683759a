import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createGateway, type GatewayEvent, type UpstreamServer } from '../src/index.ts';
import { server, text, withGateway } from './kit.ts';

/** What a server that is no library's tells, and its answer to a request. */
type Tell = (message: unknown) => void;
type Answer = (message: { readonly method?: string }, id: unknown, tell: Tell) => unknown;

/** A server that answers as no library does. */
function raw(name: string, answer: Answer): UpstreamServer {
  return {
    name,
    open() {
      const tell: Tell = (message) => transport.onmessage?.(message as JSONRPCMessage);
      const transport: Transport = {
        start: async () => {},
        close: async () => transport.onclose?.(),
        async send(message) {
          if (!('id' in message && 'method' in message)) return; // No request.
          const { id } = message;
          const said = answer(message as { readonly method?: string }, id, tell);
          if (said !== undefined) queueMicrotask(() => tell(said));
        },
      };
      return transport;
    },
  };
}

const result = (id: unknown, value: unknown) => ({ jsonrpc: '2.0', id, result: value });

const welcome = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'bad', version: '1' },
};

/** Begins as every server does, has one tool, and then answers calls as it likes. */
function bad(
  onCall: Answer,
  tools: unknown = [{ name: 'bad', inputSchema: { type: 'object' } }],
): UpstreamServer {
  return raw('bad', (message, id, tell) => {
    const { method } = message;
    if (method === 'initialize') return result(id, welcome);
    if (method === 'tools/list') return result(id, typeof tools === 'function' ? tools() : { tools });
    return onCall(message, id, tell);
  });
}

const good = server('good', (made) => void made.registerTool('good', {}, () => text('good')));
const limits = { call: 400, firstAnswer: 400, resultCharacters: 10_000 };

const deep = () => JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);

describe('one that does harm takes no other down', () => {
  test.each<[string, UpstreamServer, RegExp]>([
    [
      'never answers',
      bad(() => undefined),
      /did not answer in time, while bad ran; whether the call took effect is unknown/,
    ],
    [
      'answers other requests than it was asked',
      bad((_, id) => result(Number(id) + 1_000, text('mine'))),
      /did not answer in time/,
    ],
    ['answers with no result', bad((_, id) => result(id, { content: 7 })), /gave no valid result/],
    [
      'answers with too much',
      bad((_, id) => result(id, text('x'.repeat(20_000)))),
      /answered with \d+ characters, and 10000 are allowed/,
    ],
    [
      'answers with what is nested too deep',
      bad((_, id) => result(id, { ...text(''), structuredContent: deep() })),
      /nested too deep/,
    ],
    [
      'answers with an error of too many words',
      bad((_, id) => ({ jsonrpc: '2.0', id, error: { code: -1, message: 'x'.repeat(20_000) } })),
      /answered with \d+ characters, and 10000 are allowed/,
    ],
    [
      'answers with an error whose data are nested too deep',
      bad((_, id) => ({ jsonrpc: '2.0', id, error: { code: -1, message: 'No.', data: deep() } })),
      /nested too deep/,
    ],
    ['does not start', raw('bad', () => undefined), /Tool bad not found/],
    [
      'lists without end',
      bad(
        () => undefined,
        () => ({ tools: [], nextCursor: String(Math.random()) }),
      ),
      /Tool bad not found/,
    ],
    [
      'lists more than can be looked at again and again',
      bad(
        () => undefined,
        () => ({ tools: [{ name: 'bad', description: 'x'.repeat(11_000_000) }] }),
      ),
      /Tool bad not found/,
    ],
    [
      'lists what is no list',
      bad(
        () => undefined,
        () => ({ tools: 7 }),
      ),
      /Tool bad not found/,
    ],
  ])('%s', async (_, server, why) => {
    await withGateway({ servers: [server, good], limits }, async ({ client }) => {
      const calls = Promise.allSettled([client.callTool({ name: 'bad' }), client.callTool({ name: 'good' })]);
      const [harmed, unharmed] = await calls;
      expect(harmed).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(why) } });
      expect(unharmed).toMatchObject({ status: 'fulfilled', value: text('good') });
    });
  });

  test.each([['initialize'], ['tools/list']])(
    'answers %s with an error, whose words stay out of what is told',
    async (method) => {
      const leaking = raw('bad', (message, id) => {
        if (message.method === method)
          return { jsonrpc: '2.0', id, error: { code: -32_001, message: 'No access with key sk-s3cret' } };
        return message.method === 'initialize' ? result(id, welcome) : undefined;
      });
      await withGateway({ servers: [leaking, good], limits }, async ({ client, events }) => {
        expect(await client.callTool({ name: 'good' })).toEqual(text('good'));
        expect(JSON.stringify(events)).toContain(`answered ${method} with the error -32001`);
        expect(JSON.stringify(events)).not.toContain('s3cret');
      });
    },
  );

  test.each([-32_000, -32_001])('answers with the error %s, which is its own', async (code) => {
    const failing = bad((_, id) => ({
      jsonrpc: '2.0',
      id,
      error: { code, message: 'No such order', data: 7 },
    }));
    await withGateway({ servers: [failing, good], limits }, async ({ client }) => {
      await expect(client.callTool({ name: 'bad' })).rejects.toMatchObject({
        ...{ code, data: 7 },
        message: `MCP error ${code}: No such order`,
      });
    });
  });

  test('floods with notifications', async () => {
    const flood = bad((_, id, tell) => {
      const params = { level: 'info', data: 'x' };
      for (let n = 0; n < 30_000; n++) tell({ jsonrpc: '2.0', method: 'notifications/message', params });
      return result(id, text('flooded'));
    });
    await withGateway({ servers: [flood, good], limits }, async ({ client, events }) => {
      let heard = 0;
      client.fallbackNotificationHandler = async () => void heard++;
      await client.callTool({ name: 'bad' }).catch(() => {});
      expect(await client.callTool({ name: 'good' })).toEqual(text('good'));
      expect(heard).toBeLessThan(5_000);
      expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['flood', 'server_failed']));
    });
  });

  test('sends more than the client reads', async () => {
    const flood = bad((_, id, tell) => {
      const params = { level: 'info', data: 'x'.repeat(1_000_000) };
      for (let n = 0; n < 500; n++) tell({ jsonrpc: '2.0', method: 'notifications/message', params });
      return result(id, text('flooded'));
    });
    await withGateway({ servers: [flood, good], limits }, async ({ client, events }) => {
      let heard = 0;
      client.fallbackNotificationHandler = async () => void heard++;
      expect(await client.callTool({ name: 'bad' })).toEqual(text('flooded'));
      expect(await client.callTool({ name: 'good' })).toEqual(text('good'));
      expect(heard).toBeGreaterThan(10);
      expect(heard).toBeLessThan(100);
      expect(events.map(({ kind }) => kind)).toContain('flood');
    });
  });

  test('lists very many tools that are held back, or are called as those of another', async () => {
    const listed = (make: (at: number) => object): UpstreamServer =>
      bad(
        () => undefined,
        () => ({ tools: Array.from({ length: 20_000 }, (_, at) => make(at)) }),
      );
    const inputSchema = { type: 'object' };
    const hiding = listed((at) => ({ name: `t${at}`, description: '\u200b', inputSchema }));
    const named = listed(() => ({ name: 'good', inputSchema }));
    const names = async (one: UpstreamServer): Promise<readonly string[]> => {
      let told: readonly string[] = [];
      await withGateway({ servers: [good, one], limits: { call: 60_000 } }, async ({ client }) => {
        told = (await client.listTools()).tools.map(({ name }) => name);
      });
      return told;
    };
    expect(await names(hiding)).toEqual(['good']);
    expect(await names(named)).toEqual(['good', 'bad__good']);
  });

  test('has a template that no expression could match in time', async () => {
    const uriTemplate = `${'{a}'.repeat(30)}!`;
    const capabilities = { resources: {} };
    const templates = raw('templates', ({ method }, id) => {
      if (method === 'initialize') return result(id, { ...welcome, capabilities });
      if (method === 'resources/templates/list')
        return result(id, { resourceTemplates: [{ name: 'x', uriTemplate }] });
      return result(id, { resources: [], contents: [] });
    });
    await withGateway({ servers: [templates, good], limits }, async ({ client }) => {
      expect(await client.readResource({ uri: `note:${'a'.repeat(200)}` })).toEqual({
        ...{ contents: [], resources: [] },
      });
      expect(await client.callTool({ name: 'good' })).toEqual(text('good'));
    });
  });

  test('asks the client more than it can answer', async () => {
    const asking = bad((_, __, tell) => {
      for (let id = 0; id < 200; id++)
        tell({ jsonrpc: '2.0', id, method: 'sampling/createMessage', params: {} });
      return undefined;
    });
    await withGateway({ servers: [asking, good], limits }, async ({ client }) => {
      let asked = 0;
      client.fallbackRequestHandler = () => {
        asked++;
        return new Promise(() => {});
      };
      await client.callTool({ name: 'bad' }).catch(() => {});
      expect(asked).toBe(64);
      expect(await client.callTool({ name: 'good' })).toEqual(text('good'));
    });
  });
});

describe('with a clock of its own', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true }),
  );
  afterEach(() => void vi.useRealTimers());

  test('one that ends whenever it has begun is started less and less often, though the client lists anew', async () => {
    let starts = 0;
    const dying: UpstreamServer = {
      name: 'dying',
      open() {
        starts++;
        const transport: Transport = {
          start: async () => {},
          close: async () => transport.onclose?.(),
          async send(message) {
            if ('id' in message)
              queueMicrotask(() => transport.onmessage?.(result(message.id, welcome) as JSONRPCMessage));
            else queueMicrotask(() => transport.onclose?.());
          },
        };
        return transport;
      },
    };
    await withGateway({ servers: [dying, good] }, async ({ client }) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () =>
        client.listTools().then(() => {}),
      );
      await vi.advanceTimersByTimeAsync(60_000);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['good']);
      expect(starts).toBeGreaterThan(3);
      expect(starts).toBeLessThan(10);
    });
  });

  test('one that tells of a change with every listing has a client list once a second', async () => {
    let listed = 0;
    const changing = raw('changing', ({ method }, id, tell) => {
      if (method === 'initialize') return result(id, welcome);
      listed++;
      tell({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      return result(id, { tools: [] });
    });
    await withGateway({ servers: [changing, good] }, async ({ client }) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () =>
        client.listTools().then(() => {}),
      );
      await client.listTools();
      await vi.advanceTimersByTimeAsync(20_000);
      expect(listed).toBeGreaterThan(10);
      expect(listed).toBeLessThan(40);
    });
  });

  test('one whose way never opens is given up when its time to start is over', async () => {
    const transport = (): Transport => ({
      start: () => new Promise(() => {}),
      send: async () => {},
      close: async () => {},
    });
    const events: GatewayEvent[] = [];
    const servers = [{ name: 'closed', open: transport }, good];
    await withGateway(
      { servers, limits: { start: 2_000, firstAnswer: 1 }, onEvent: (event) => void events.push(event) },
      async () => {
        await vi.advanceTimersByTimeAsync(2_000);
        expect(events).toContainEqual({
          ...{ kind: 'server_failed', server: 'closed' },
          why: 'The MCP server "closed" did not start in time.',
        });
      },
    );
  });
});

test('what a client does not read is not kept for it without end', async () => {
  const says = raw('says', ({ method }, id, tell) => {
    if (method === 'initialize') return result(id, welcome);
    if (method !== 'tools/call') return result(id, { tools: [{ name: 'say' }] });
    const params = { level: 'info', data: 'x'.repeat(100_000) };
    tell({ jsonrpc: '2.0', method: 'notifications/message', params });
    return result(id, text('said'));
  });
  const events: string[] = [];
  const gateway = createGateway({ servers: [says], limits, onEvent: ({ kind }) => void events.push(kind) });
  let waiting = 0;
  const answers = new Map<unknown, () => void>();
  const client: Transport = {
    start: async () => {},
    close: async () => client.onclose?.(),
    async send(message) {
      if ('method' in message) {
        waiting++;
        await new Promise(() => {}); // It does not read.
      }
      answers.get((message as { id?: unknown }).id)?.();
    },
  };
  const ask = (id: number, method: string, params: object): Promise<void> =>
    new Promise((resolve) => {
      answers.set(id, resolve);
      client.onmessage?.({ jsonrpc: '2.0', id, method, params } as JSONRPCMessage);
    });
  await gateway.connect(client);
  await ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} });
  for (let id = 1; id <= 1_000; id++) await ask(id, 'tools/call', { name: 'say', arguments: {} });
  expect(waiting).toBeGreaterThan(100);
  expect(waiting).toBeLessThan(200);
  expect(events.filter((kind) => kind === 'flood')).toHaveLength(1);
  await gateway.close();
});

test('a hundred calls at once are answered each with its own result', async () => {
  const echo = server('echo', (made) => {
    made.registerTool('echo', { inputSchema: { n: z.number() } }, async ({ n }) => {
      await new Promise((resolve) => setTimeout(resolve, n % 7));
      return text(String(n));
    });
  });
  await withGateway({ servers: [echo, good] }, async ({ client }) => {
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    const results = await Promise.all(
      numbers.map((n) => client.callTool({ name: 'echo', arguments: { n } })),
    );
    expect(results).toEqual(numbers.map((n) => text(String(n))));
  });
});
