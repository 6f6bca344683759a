import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, type ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { createGateway, type GatewayEvent, type GatewayOptions, type UpstreamServer } from '../src/index.ts';

/** A server in this process: made anew for each connection. */
export function server(
  name: string,
  fill: (server: McpServer) => void,
  instructions?: string,
): UpstreamServer {
  return {
    name,
    open() {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      const made = new McpServer(
        { name, version: '1.0.0' },
        instructions === undefined ? {} : { instructions },
      );
      fill(made);
      void made.connect(theirs);
      return ours as Transport;
    },
  };
}

/** A server that tells of tools as it likes, and of itself. */
export function listing(
  tools: readonly object[] | (() => readonly object[]),
  info = { name: 'listing', version: '1.0.0' },
): UpstreamServer {
  return {
    name: 'listing',
    open() {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      const made = new Server(info, { capabilities: { tools: {} } });
      made.setRequestHandler(z.object({ method: z.literal('tools/list') }), () => ({
        tools: typeof tools === 'function' ? tools() : tools,
      }));
      made.setRequestHandler(CallToolRequestSchema, () => text('called'));
      void made.connect(theirs);
      return ours as Transport;
    },
  };
}

/** A result that is one text. */
export function text(value: string): { content: [{ type: 'text'; text: string }] } {
  return { content: [{ type: 'text', text: value }] };
}

/** A client behind a gateway, for one test. */
export async function withGateway(
  options: GatewayOptions,
  run: (parts: { client: Client; events: GatewayEvent[] }) => Promise<void>,
  capabilities: ClientCapabilities = {},
): Promise<void> {
  const events: GatewayEvent[] = [];
  const gateway = createGateway({ onEvent: (event) => void events.push(event), ...options });
  try {
    await run({ client: await connectClient(gateway, capabilities), events });
  } finally {
    await gateway.close();
  }
}

async function connectClient(
  gateway: ReturnType<typeof createGateway>,
  capabilities: ClientCapabilities,
): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'tests', version: '1.0.0' }, { capabilities });
  await gateway.connect(theirs as Transport);
  await client.connect(ours);
  return client;
}
