import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
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
