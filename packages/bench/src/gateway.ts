import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  CallToolResultSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createGateway } from '@spec/gateway';
import { defineHook } from '@spec/hooks';
import type { Bench } from './bench.ts';
import { measure, warmTurns } from './measure.ts';

const AT_ONCE = 50;
const DIRECT = 'the server alone';
const ALLOWED = 'the server alone, and 2 ms';
const PROXY = 'behind a bare proxy';
const EMPTY = 'behind the gateway, no hook';
const HOOKED = 'behind the gateway, four hooks';

const server = fileURLToPath(new URL('gateway-server.mjs', import.meta.url));
const openServer = (): StdioClientTransport =>
  new StdioClientTransport({ command: process.execPath, args: [server] });

const hooks = [
  defineHook({ hook: 'before_tool_call', id: 'decide', execute: async () => null }),
  defineHook({ hook: 'before_tool_call', id: 'decide_again', match: 'mcp__*', execute: async () => null }),
  defineHook({ hook: 'after_tool_call_success', id: 'look', execute: async () => null }),
  defineHook({
    hook: 'before_store_tool_result',
    id: 'store',
    execute: async (_state, _call, result) => result,
  }),
];

/** One call after another: what the gateway adds to the time of a call. */
export const gatewayLatency: Bench = {
  name: 'gateway',
  about: 'a call of a tool of an MCP server that is a process, one after another',
  unit: 'ns',
  comparisons: [
    { of: EMPTY, against: ALLOWED, atMost: 1 },
    { of: HOOKED, against: ALLOWED, atMost: 1 },
    { of: HOOKED, against: PROXY },
  ],
  async run() {
    const series = await measureCalls(1);
    return { ...series, [ALLOWED]: (series[DIRECT] ?? []).map((ns) => ns + 2_000_000) };
  },
};

/** Many calls at once: a quarter fewer calls a second are a third more time for each. */
export const gatewayThroughput: Bench = {
  name: 'gateway-at-once',
  about: `${AT_ONCE} calls at once of a tool of an MCP server that is a process, by call`,
  unit: 'ns',
  comparisons: [
    { of: EMPTY, against: PROXY, atMost: 4 / 3 },
    { of: HOOKED, against: PROXY, atMost: 4 / 3 },
  ],
  run: () => measureCalls(AT_ONCE),
};

async function measureCalls(count: number): Promise<Readonly<Record<string, readonly number[]>>> {
  const clients = {
    [DIRECT]: await connectTo(openServer()),
    [PROXY]: await openProxy(),
    [EMPTY]: await openGateway([]),
    [HOOKED]: await openGateway(hooks),
  };
  const call = (client: Client) => () =>
    Promise.all(
      Array.from({ length: count }, () => client.callTool({ name: 'rows', arguments: { table: 'orders' } })),
    );
  const contenders = Object.fromEntries(
    Object.entries(clients).map(([name, client]) => [name, call(client)]),
  );
  const series = await measure(contenders, { batch: count === 1 ? 20 : 1, warmUp: warmTurns });
  await Promise.all(Object.values(clients).map((client) => client.close()));
  return Object.fromEntries(
    Object.entries(series).map(([name, rounds]) => [name, rounds.map((ns) => ns / count)]),
  );
}

async function connectTo(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(transport);
  return client;
}

async function openGateway(policies: typeof hooks | []): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const gateway = createGateway({
    servers: [{ name: 'bench', open: () => openServer() as Transport }],
    policies,
  });
  await gateway.connect(theirs as Transport);
  return connectTo(ours as Transport);
}

/** What a proxy of the SDK's own parts is at the least. */
async function openProxy(): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const upstream = await connectTo(openServer() as Transport);
  const proxy = new Server({ name: 'proxy', version: '1.0.0' }, { capabilities: { tools: {} } });
  proxy.setRequestHandler(ListToolsRequestSchema, () => upstream.listTools());
  proxy.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    upstream.request({ method: 'tools/call', params }, CallToolResultSchema, { signal }),
  );
  proxy.onclose = () => void upstream.close();
  await proxy.connect(theirs as Transport);
  return connectTo(ours as Transport);
}
