import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { InvalidGrantError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js';
import { mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { OAuthClientInformationFull } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createGateway, type GatewayEvent } from '@spec/gateway';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { ConfiguredAddress } from './config-file.ts';
import { logIn, logOut } from './login.ts';
import { openServer } from './open-server.ts';
import { readWrappedServer } from './wrapped-server.ts';

let state = '';
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'logins-'));
  vi.stubEnv('XDG_STATE_HOME', state);
});
afterEach(() => vi.unstubAllEnvs());

/** Serves until the test has ended. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://localhost:${typeof address === 'object' ? address?.port : 0}`;
}

function makeServer(): McpServer {
  const server = new McpServer({ name: 'wiki', version: '1.0.0' });
  server.registerTool('page', {}, () => ({ content: [{ type: 'text', text: 'A page.' }] }));
  return server;
}

/** What a client behind the gateway gets of a tool, and what the gateway tells. */
async function callPage(server: ConfiguredAddress): Promise<{ got: string; told: string }> {
  const events: GatewayEvent[] = [];
  const gateway = createGateway({
    servers: [openServer('wiki', server, { from: '/', timeoutMs: 10_000 })],
    onEvent: (event) => void events.push(event),
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await gateway.connect(theirs as Transport);
  const client = new Client({ name: 'tests', version: '1.0.0' });
  await client.connect(ours as Transport);
  const got = JSON.stringify(await client.callTool({ name: 'page' }).catch(String));
  await gateway.close();
  return { got, told: JSON.stringify(events) };
}

test('a server that speaks HTTP as MCP did before 2025 is spoken to so, with its headers, and named or not', async () => {
  const seen: unknown[] = [];
  const open = new Map<string, SSEServerTransport>();
  const url = await listen(async (request, response) => {
    seen.push(request.headers['x-key']);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'GET' && pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      open.set(transport.sessionId, transport);
      await makeServer().connect(transport);
    } else if (pathname === '/messages')
      await open.get(searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
    else response.writeHead(404).end();
  });
  const server = { url: `${url}/sse`, headers: { 'X-Key': 'k-1' } };
  for (const one of [server, { ...server, type: 'sse' } as const])
    expect((await callPage(one)).got).toContain('A page.');
  expect(new Set(seen)).toEqual(new Set(['k-1']));
});

test.each([401, 500])(
  'a server that answers %s is told of by its name, and not spoken to otherwise',
  async (status) => {
    const asked: unknown[] = [];
    const url = await listen(({ method }, response) => {
      asked.push(method);
      response.writeHead(status).end('secret words');
    });
    const { told } = await callPage({ url: `${url}/s3cret/mcp?key=s3cret` });
    expect(told).toContain(
      status === 401 ? 'asks for a login: run \\"spec-hooks gateway --login ADDRESS\\"' : 'HTTP 500',
    );
    expect(told).not.toMatch(/s3cret|secret words/);
    expect(asked).not.toContain('GET');
  },
);

test.each(['ftp://wiki.example', 'wiki', 'http://wiki.example/mcp'])(
  'nobody logs in at %s',
  async (address) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await logIn(address)).toBe(2);
    expect(write.mock.calls.join()).toMatch(/https/);
    write.mockRestore();
  },
);

test('what a server writes to stderr is dropped while nobody reads it', async () => {
  let written = 0;
  const unread = new Writable({
    write(chunk: Uint8Array) {
      written += chunk.length;
    },
  });
  const { stderr } = process;
  Object.defineProperty(process, 'stderr', { value: unread, configurable: true });
  onTestFinished(() => void Object.defineProperty(process, 'stderr', { value: stderr, configurable: true }));
  const script = `process.stderr.write('n'.repeat(20_000_000), () => process.exit())`;
  const server = { command: process.execPath, args: ['-e', script] };
  const transport = openServer('noisy', server, { from: '/', timeoutMs: 10_000 }).open();
  const ended = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  await transport.start();
  await ended;
  expect(written).toBeGreaterThan(0);
  expect(unread.writableLength).toBeLessThan(3_000_000);
});

test('a wrapped server whose address is none is refused, and the address not told', () => {
  vi.stubEnv('SPEC_HOOKS_URL', 'not an address with k-s3cret');
  expect(() => readWrappedServer('wiki', [])).toThrow(
    /^The variable SPEC_HOOKS_URL must hold an address[^3]*$/,
  );
});

/** An OAuth server that lets everybody in: by the SDK's own parts, with tokens that can be ended. */
class Logins implements OAuthServerProvider {
  readonly clients = new Map<string, OAuthClientInformationFull>();
  readonly codes = new Map<string, string>();
  readonly valid = new Set<string>();
  readonly clientsStore = {
    getClient: (id: string) => this.clients.get(id),
    registerClient: (given: Omit<OAuthClientInformationFull, 'client_id' | 'client_id_issued_at'>) => {
      const client = { ...given, client_id: randomUUID() };
      this.clients.set(client.client_id, client);
      return client;
    },
  };

  async authorize(
    ...[, { redirectUri, codeChallenge, state }, response]: Parameters<OAuthServerProvider['authorize']>
  ) {
    const code = randomUUID();
    this.codes.set(code, codeChallenge);
    response.redirect(`${redirectUri}?code=${code}&state=${state}`);
  }

  async challengeForAuthorizationCode(_: unknown, code: string) {
    return this.codes.get(code) ?? '';
  }

  async exchangeAuthorizationCode() {
    return this.give();
  }

  async exchangeRefreshToken(_: unknown, token: string) {
    if (!this.valid.delete(token)) throw new InvalidGrantError('unknown');
    return this.give();
  }

  async verifyAccessToken(token: string) {
    if (!this.valid.has(token)) throw new InvalidTokenError('unknown');
    return { token, clientId: 'any', scopes: [], expiresAt: Date.now() / 1_000 + 60 };
  }

  give() {
    const [access_token, refresh_token] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.valid.add(access_token).add(refresh_token);
    return { access_token, refresh_token, token_type: 'Bearer' };
  }
}

/** What comes of a path that no browser asks for. */
function askFor(path: string, port: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ path, port, host: '127.0.0.1', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end();
  });
}

/** An MCP server that asks for a login. */
async function serveGuarded(): Promise<{ url: string; logins: Logins }> {
  const logins = new Logins();
  const app = createMcpExpressApp();
  const url = await listen(app);
  app.use(mcpAuthRouter({ provider: logins, issuerUrl: new URL(url) }));
  type Request = IncomingMessage & { readonly body?: unknown };
  const answer = async (request: Request, response: ServerResponse): Promise<void> => {
    const transport = new StreamableHTTPServerTransport({});
    await makeServer().connect(transport as Transport);
    await transport.handleRequest(request, response, request.body);
  };
  app.post('/mcp', requireBearerAuth({ verifier: logins }), answer);
  return { url: `${url}/mcp`, logins };
}

test('a login over OAuth is made with a browser, kept for its owner alone, renewed, and forgotten', async () => {
  const { url, logins } = await serveGuarded();
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  onTestFinished(() => write.mockRestore());
  expect((await callPage({ url })).told).toContain('asks for a login');

  const login = logIn(url);
  await expect.poll(() => /http\S+authorize\S+/.exec(printed)?.[0]).toBeDefined();
  // Somebody else's answer is not taken for the browser's.
  const [page = ''] = /http\S+authorize\S+/.exec(printed) ?? [];
  const callback = new URL(page).searchParams.get('redirect_uri') ?? '';
  expect((await fetch(`${callback}?code=stolen&state=other`)).status).toBe(404);
  expect(await askFor('//', new URL(callback).port)).toBe(404);
  expect(await (await fetch(page)).text()).toContain('You can close this page');
  expect(await login).toBe(0);

  const folder = join(state, 'spec-hooks/logins');
  const [file = ''] = readdirSync(folder);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const kept = readFileSync(join(folder, file), 'utf8');
  expect((await callPage({ url })).got).toContain('A page.');

  // A token that has run out is made anew, and kept.
  const { tokens } = JSON.parse(kept);
  logins.valid.delete(tokens.access_token);
  const renewed = await callPage({ url });
  expect(renewed.got).toContain('A page.');
  expect(readFileSync(join(folder, file), 'utf8')).not.toBe(kept);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);

  logins.valid.clear();
  const ended = await callPage({ url });
  expect(ended.told).toContain('asks for a login');
  expect(printed + renewed.told + ended.told + ended.got).not.toMatch(/access-|refresh-/);
  expect(logOut(url)).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});
