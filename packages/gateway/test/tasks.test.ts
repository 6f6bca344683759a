import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  ElicitResultSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { redact } from '@spec/builtins';
import { defineHook } from '@spec/hooks';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { UpstreamServer } from '../src/index.ts';
import { server, text, withGateway } from './kit.ts';

/** A server whose tools run as tasks, by the SDK's own parts. */
function bakery(name = 'bakery'): UpstreamServer {
  const taskStore = new InMemoryTaskStore();
  return {
    name,
    open() {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      const made = new McpServer(
        { name, version: '1.0.0' },
        {
          capabilities: { tasks: { cancel: {}, requests: { tools: { call: {} } } } },
          taskStore,
          taskMessageQueue: new InMemoryTaskMessageQueue(),
        },
      );
      made.experimental.tasks.registerToolTask(
        'bake',
        { inputSchema: { what: z.string() } },
        {
          async createTask({ what }, { taskStore: store, sendRequest }) {
            const task = await store.createTask({ ttl: 60_000, pollInterval: 10 });
            void (async () => {
              if (what === 'nothing') return;
              if (what === 'cake') await askPerson(task.taskId, sendRequest);
              await store.storeTaskResult(
                task.taskId,
                'completed',
                text(`${what}, paid with 4111 1111 1111 1111`),
              );
            })();
            return { task };
          },
          getTask: async (_, { taskId, taskStore: store }) => store.getTask(taskId),
          getTaskResult: async (_, { taskId, taskStore: store }) =>
            CallToolResultSchema.parse(await store.getTaskResult(taskId)),
        },
      );
      void made.connect(theirs as Transport);
      return ours as Transport;
    },
  };
}

type Send = (request: never, schema: typeof ElicitResultSchema, options: object) => Promise<unknown>;

async function askPerson(taskId: string, send: unknown): Promise<void> {
  const requestedSchema = { type: 'object', properties: { tiers: { type: 'number' } } };
  const params = { message: 'How many tiers?', requestedSchema };
  const request = { method: 'elicitation/create', params } as never;
  await (send as Send)(request, ElicitResultSchema, { relatedTask: { taskId } });
}

/** All that a client of the SDK hears of a call that runs as a task. */
async function bake(client: Client, what: string): Promise<string> {
  await client.listTools(); // By it the client knows which tools run as tasks.
  const heard: unknown[] = [];
  for await (const message of client.experimental.tasks.callToolStream({ name: 'bake', arguments: { what } }))
    heard.push(message.type === 'error' ? String(message.error) : message);
  return JSON.stringify(heard);
}

const noPoison = defineHook({
  hook: 'before_tool_call',
  id: 'no_poison',
  match: 'mcp__bakery__bake',
  execute: async (_, { input }) =>
    input.what === 'poison' ? { decision: 'deny', reason: 'Nobody bakes that.' } : null,
});
const policies = [noPoison, ...redact().filter(({ hook }) => hook === 'before_store_tool_result')];

test('a call that runs as a task passes the hooks, both before it begins and with its result', async () => {
  await withGateway({ servers: [bakery()], policies }, async ({ client }) => {
    const heard = await bake(client, 'bread');
    expect(heard).toMatch(/taskCreated.*taskStatus.*"type":"result".*bread, paid with \[/);
    expect(heard).not.toContain('4111 1111');
    expect(await bake(client, 'poison')).toMatch(/^\["McpError: .*denied by no_poison. Nobody bakes that/);
  });
});

test('what a server puts beside a task reaches no client unseen', async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const result = { content: [{ type: 'text', text: 'unseen' }], structuredContent: {}, toolResult: 'unseen' };
  const task = { taskId: 't1', status: 'working', createdAt: '', lastUpdatedAt: '', ttl: 1 };
  const answers: Readonly<Record<string, Record<string, unknown>>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } },
      serverInfo: { name: 'sly', version: '1' },
    },
    'tools/list': {
      tools: [{ name: 'sly', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } }],
    },
    'tools/call': { task, ...result },
    'tasks/get': { ...task, ...result },
    'tasks/cancel': { ...task, ...result },
  };
  theirs.onmessage = (message) => {
    if (!('id' in message && 'method' in message)) return;
    const answer = answers[message.method];
    if (answer !== undefined) void theirs.send({ jsonrpc: '2.0', id: message.id, result: answer });
  };
  const sly: UpstreamServer = { name: 'sly', open: () => ours as Transport };
  await withGateway({ servers: [sly], policies }, async ({ client }) => {
    const ask = async (method: string, params: object): Promise<unknown> =>
      client.request({ method, params } as never, ResultSchema);
    expect(await ask('tools/call', { name: 'sly', arguments: {}, task: { ttl: 1 } })).toEqual({ task });
    expect(await ask('tasks/get', { taskId: 't1' })).toEqual(task);
    expect(await ask('tasks/cancel', { taskId: 't1' })).toEqual(task);
    const told = new Promise((resolve) => {
      client.fallbackNotificationHandler = async ({ params }) => resolve(params);
    });
    const params = { ...task, ...result };
    await theirs.send({ jsonrpc: '2.0', method: 'notifications/tasks/status', params });
    expect(await told).toEqual(task);
  });
});

test('a task can ask a person, and be ended', async () => {
  const capabilities = { elicitation: {} };
  await withGateway(
    { servers: [bakery()], policies },
    async ({ client }) => {
      const asked: string[] = [];
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params.message);
        return { action: 'accept', content: { tiers: 3 } };
      });
      expect(await bake(client, 'cake')).toContain('cake, paid with');
      expect(asked).toEqual(['How many tiers?']);

      const started = client.experimental.tasks.callToolStream({
        name: 'bake',
        arguments: { what: 'nothing' },
      });
      const { value } = await started.next();
      const taskId = value?.type === 'taskCreated' ? value.task.taskId : '';
      expect(await client.experimental.tasks.cancelTask(taskId)).toMatchObject({ status: 'cancelled' });
    },
    capabilities,
  );
});

test('as many tasks as calls are allowed can be looked at and ended', async () => {
  await withGateway({ servers: [bakery()], limits: { calls: 2 } }, async ({ client }) => {
    await client.listTools();
    const start = async (): Promise<unknown> => {
      const params = { name: 'bake', arguments: { what: 'nothing' } };
      const { value } = await client.experimental.tasks.callToolStream(params).next();
      return value?.type === 'taskCreated' ? value.task.taskId : value?.type === 'error' && value.error;
    };
    const first = String(await start());
    await start();
    expect(String(await start())).toContain('More than 2 calls are under way');
    expect((await client.listTools()).tools).toHaveLength(1);
    expect(await client.experimental.tasks.getTask(first)).toMatchObject({ status: 'working' });
    expect(await client.experimental.tasks.cancelTask(first)).toMatchObject({ status: 'cancelled' });
  });
});

test('a task whose server ends says that nobody knows whether it took effect', async () => {
  const one = bakery();
  let end = async (): Promise<void> => {};
  const ending: UpstreamServer = {
    name: one.name,
    open() {
      const way = one.open();
      end = async () => way.close();
      return way;
    },
  };
  await withGateway({ servers: [ending] }, async ({ client }) => {
    await client.listTools();
    const params = { name: 'bake', arguments: { what: 'nothing' } };
    const { value } = await client.experimental.tasks.callToolStream(params).next();
    const taskId = value?.type === 'taskCreated' ? value.task.taskId : '';
    await end();
    await expect(client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).rejects.toThrow(
      'whether the call took effect is unknown',
    );
  });
});

test('a client comes to its own tasks alone, and a server without tasks promises none', async () => {
  const one = bakery();
  await withGateway({ servers: [one] }, async ({ client }) => {
    const heard = await bake(client, 'bread');
    const taskId = /"taskId":"(\w+)"/.exec(heard)?.[1] ?? '';
    await withGateway({ servers: [one] }, async ({ client: other }) => {
      for (const ask of [
        () => other.experimental.tasks.getTask(taskId),
        () => other.experimental.tasks.getTaskResult(taskId),
        () => other.experimental.tasks.cancelTask(taskId),
      ])
        await expect(ask()).rejects.toThrow('Task not found');
    });
  });
  const plain = server('plain', (made) => void made.registerTool('read', {}, () => text('read')));
  await withGateway({ servers: [plain] }, async ({ client }) => {
    expect(client.getServerCapabilities()).not.toHaveProperty('tasks');
  });
});
