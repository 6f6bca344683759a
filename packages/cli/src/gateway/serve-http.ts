import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Gateway } from '@spec/gateway';

/** The clients that may be connected at once. */
const MAX_CLIENTS = 64;
/** A client that has asked nothing and listens to nothing for so long has gone, in milliseconds. */
const IDLE = 30 * 60_000;

interface Client {
  readonly transport: StreamableHTTPServerTransport;
  /** Its requests and streams that are open. */
  open: number;
  /** When the last of them has ended. */
  since: number;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/** Where clients are served. */
export interface HttpPlace {
  /** 0 takes a free one. */
  readonly port: number;
  /** Milliseconds after which a client has gone that asks nothing. */
  readonly idleMs?: number;
  /** How many may be connected at once. */
  readonly maxClients?: number;
}

/** Listens on this machine for clients over streamable HTTP. */
export async function listenForClients(
  gateway: Gateway,
  { port, idleMs = IDLE, maxClients = MAX_CLIENTS }: HttpPlace,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const clients = new Map<string, Client>();
  const server = createServer((request, response) => {
    answer({ gateway, clients, server, idleMs, maxClients }, request, response).catch(() =>
      refuse(response, 500, 'The gateway failed.'),
    );
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  );
  const close = (): void => {
    server.close();
    server.closeAllConnections();
    for (const { idle } of clients.values()) clearTimeout(idle);
  };
  return { url: `http://127.0.0.1:${readPort(server)}/mcp`, close };
}

function readPort(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

interface Serving {
  readonly gateway: Gateway;
  readonly clients: Map<string, Client>;
  readonly server: Server;
  readonly idleMs: number;
  readonly maxClients: number;
}

async function answer(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { clients, server } = serving;
  if (!isFromHere(request, readPort(server)))
    return refuse(response, 403, 'Only programs on this machine may ask.');
  if (new URL(request.url ?? '', 'http://localhost').pathname !== '/mcp')
    return refuse(response, 404, 'The servers are at /mcp.');
  const id = request.headers['mcp-session-id'];
  const client = typeof id === 'string' ? clients.get(id) : undefined;
  if (typeof id === 'string' && client === undefined) return refuse(response, 404, 'Session not found');
  if (client === undefined) return begin(serving, request, response);
  keepAwake(client, response, serving.idleMs);
  await client.transport.handleRequest(request, response);
}

/** A page in a browser could ask for this machine under a name of its own: neither its name nor its origin counts as from here. */
function isFromHere({ headers: { host = '', origin } }: IncomingMessage, port: number): boolean {
  const here = [`127.0.0.1:${port}`, `localhost:${port}`];
  return here.includes(host) && (origin === undefined || here.some((one) => origin === `http://${one}`));
}

/** A new client. One that does not begin as clients do leaves nothing behind. */
async function begin(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { gateway, clients, idleMs, maxClients } = serving;
  if (clients.size >= maxClients && !(await endIdlest(clients)))
    return refuse(response, 503, `More than ${maxClients} clients are connected.`);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized(id) {
      const client: Client = { transport, open: 0, since: performance.now(), idle: undefined };
      clients.set(id, client);
      keepAwake(client, response, idleMs);
    },
  });
  // The SDK's class differs from its own interface in whether its callbacks may be undefined.
  const { closed } = await gateway.connect(transport as Transport);
  const forget = (): void => void clients.delete(transport.sessionId ?? '');
  closed.then(forget, forget);
  try {
    await transport.handleRequest(request, response);
  } finally {
    if (transport.sessionId === undefined) await transport.close();
  }
}

/** Many clients go without a word. @returns whether there was one that has no request and no stream open */
async function endIdlest(clients: Map<string, Client>): Promise<boolean> {
  const idle = [...clients].filter(([, { open }]) => open === 0);
  const [id, client] = idle.toSorted(([, a], [, b]) => a.since - b.since)[0] ?? [];
  if (id === undefined || client === undefined) return false;
  clients.delete(id);
  clearTimeout(client.idle);
  await client.transport.close();
  return true;
}

function keepAwake(client: Client, response: ServerResponse, idleMs: number): void {
  clearTimeout(client.idle);
  client.open++;
  response.once('close', () => {
    client.open--;
    client.since = performance.now();
    if (client.open > 0) return;
    clearTimeout(client.idle);
    client.idle = setTimeout(() => void client.transport.close(), idleMs);
    client.idle.unref();
  });
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}
