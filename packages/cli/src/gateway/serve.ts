import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Gateway } from '@spec/gateway';

/** Standard input and output of this process. */
export interface Stdio {
  readonly transport: Transport;
  /** Settles when the client has closed standard input, or this process is told to end. */
  readonly ended: Promise<void>;
}

/** Takes standard output for the client alone: call it before anything else may print. */
export function openStdio(): () => Stdio {
  const { stdin, stdout } = process;
  const write = stdout.write.bind(stdout);
  return () => {
    const out = new Writable({
      write(chunk: Buffer, _, done) {
        if (write(chunk)) done();
        else stdout.once('drain', done);
      },
    });
    const ended = new Promise<void>((resolve) => {
      stdin.once('end', resolve).once('close', resolve);
      stdout.once('error', () => resolve());
      untilToldToEnd().then(resolve, resolve);
    });
    return { transport: new StdioServerTransport(stdin, out), ended };
  };
}

function untilToldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

/** Serves the client that has started this process, until it has gone. */
export async function serveStdio(gateway: Gateway, open: () => Stdio): Promise<void> {
  const { transport, ended } = open();
  const { closed } = await gateway.connect(transport);
  await Promise.race([closed, ended]);
}

/** The clients that may be connected at once. */
const MAX_CLIENTS = 64;
/** A client that has asked nothing and listens to nothing for so long has gone, in milliseconds. */
const IDLE = 30 * 60_000;

interface Client {
  readonly transport: StreamableHTTPServerTransport;
  /** Its requests and streams that are open. */
  open: number;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/** Serves clients over streamable HTTP on this machine, until this process is told to end. */
export async function serveHttp(gateway: Gateway, port: number): Promise<void> {
  const clients = new Map<string, Client>();
  const server = createServer((request, response) => {
    answer({ gateway, clients, server }, request, response).catch(() =>
      refuse(response, 500, 'The gateway failed.'),
    );
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  );
  process.stderr.write(
    `spec-hooks: clients of MCP find the servers at http://127.0.0.1:${readPort(server)}/mcp\n`,
  );
  await untilToldToEnd();
  server.close();
  server.closeAllConnections();
  for (const { idle } of clients.values()) clearTimeout(idle);
}

function readPort(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

interface Serving {
  readonly gateway: Gateway;
  readonly clients: Map<string, Client>;
  readonly server: Server;
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
  if (client === undefined && clients.size >= MAX_CLIENTS)
    return refuse(response, 503, `More than ${MAX_CLIENTS} clients are connected.`);
  const { transport } = client ?? (await open(serving));
  if (client !== undefined) keepAwake(client, response);
  await transport.handleRequest(request, response);
}

/** A page in a browser could ask for this machine under a name of its own: neither its name nor its origin counts as from here. */
function isFromHere({ headers: { host = '', origin } }: IncomingMessage, port: number): boolean {
  const here = [`127.0.0.1:${port}`, `localhost:${port}`];
  return here.includes(host) && (origin === undefined || here.some((one) => origin === `http://${one}`));
}

async function open({ gateway, clients }: Serving): Promise<{ transport: StreamableHTTPServerTransport }> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void clients.set(id, { transport, open: 0, idle: undefined }),
  });
  // The SDK's class differs from its own interface in whether its callbacks may be undefined.
  const { closed } = await gateway.connect(transport as Transport);
  const forget = (): void => void clients.delete(transport.sessionId ?? '');
  closed.then(forget, forget);
  return { transport };
}

function keepAwake(client: Client, response: ServerResponse): void {
  clearTimeout(client.idle);
  client.open++;
  response.once('close', () => {
    client.open--;
    if (client.open > 0) return;
    clearTimeout(client.idle);
    client.idle = setTimeout(() => void client.transport.close(), IDLE);
    client.idle.unref();
  });
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}
