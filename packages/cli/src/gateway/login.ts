import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { exitCodes } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { isWebAddress, makeLogin, nameAddress, removeLogin } from './login-store.ts';

/** How long a person has to log in, and a server to answer a request, in milliseconds. */
const PERSON_MS = 600_000;
const ANSWER_MS = 30_000;

/** Logs a person in at an MCP server over OAuth, by way of a browser. Gives the exit code. */
export async function logIn(address: string): Promise<number> {
  if (!isWebAddress(address))
    return wrongUsage('--login: give the address of the server: https://wiki.example/mcp');
  if (!isSafe(address))
    return wrongUsage('--login: a login needs an address with https, or one of this machine.');
  const state = randomUUID();
  const callback = await listenForBrowser(state);
  try {
    const showAddress = (to: URL): void => tell(`Log in with a browser, here:\n  ${readShown(to)}\n`);
    const provider = makeLogin(address, { redirectUrl: callback.url, state, showAddress });
    const asked = await askForLogin(address);
    if (asked === undefined) return tellFailure(address, 'asks for no login');
    const fetchFn = fetchInTime;
    if ((await auth(provider, { serverUrl: address, ...asked, fetchFn })) === 'REDIRECT')
      await finish(provider, address, await callback.code);
    tell(`You are logged in at ${printable(nameAddress(address))}.\n`);
    return exitCodes.fine;
  } catch (error) {
    return tellFailure(address, describeFailure(error));
  } finally {
    callback.server.close();
    callback.server.closeAllConnections();
  }
}

/** Forgets a login. Gives the exit code. */
export function logOut(address: string): number {
  if (!isWebAddress(address)) return wrongUsage('--logout: give the address of the server.');
  const name = printable(nameAddress(address));
  const isGone = removeLogin(address);
  tell(isGone ? `The login at ${name} is forgotten.\n` : `There is no login at ${name}.\n`);
  return isGone ? exitCodes.fine : exitCodes.findings;
}

/** Tokens go over the network only where nobody reads along. */
function isSafe(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** A server names where a browser goes: nothing but a page of the web is shown. */
function readShown(to: URL): string {
  if (!/^https?:$/.test(to.protocol)) throw new LoginRefused('names no page of the web');
  return printable(to.href);
}

type Asked = Omit<ReturnType<typeof extractWWWAuthenticateParams>, 'error'>;

/** What a server says of its login when it is asked for something without one; `undefined`: it needs none. */
async function askForLogin(address: string): Promise<Asked | undefined> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'spec-hooks', version: '0.1.0' },
  };
  const response = await fetchInTime(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await response.body?.cancel();
  if (response.status !== 401) return undefined;
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return {
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
  };
}

async function finish(provider: OAuthClientProvider, address: string, code: string): Promise<void> {
  await auth(provider, { serverUrl: address, authorizationCode: code, fetchFn: fetchInTime });
}

/** A server does not hold this program up. */
const fetchInTime: typeof fetch = (address, init) =>
  fetch(address, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });

interface Callback {
  readonly server: Server;
  readonly url: string;
  /** The code that the browser brings. */
  readonly code: Promise<string>;
}

/** Waits on this machine alone for the browser to come back. */
async function listenForBrowser(state: string): Promise<Callback> {
  const server = createServer();
  const code = new Promise<string>((resolve, reject) => {
    const late = new LoginRefused('was not logged in at in time');
    setTimeout(() => reject(late), PERSON_MS).unref();
    server.on('request', (request, response) => {
      const searchParams = readCallback(request.url ?? '');
      const isOurs = searchParams?.get('state') === state;
      response.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(isOurs ? 'You can close this page.' : 'There is nothing here.');
      if (searchParams === undefined || !isOurs) return;
      const given = searchParams.get('code');
      if (given === null)
        reject(new LoginRefused(`refused the login (${readCode(searchParams.get('error'))})`));
      else resolve(given);
    });
  });
  code.catch(() => {});
  server.listen(0, '127.0.0.1');
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { server, url: `http://127.0.0.1:${port}/callback`, code };
}

/** Other programs may ask for anything: `//` is no address. */
function readCallback(path: string): URLSearchParams | undefined {
  const base = 'http://localhost';
  const { pathname, searchParams } = URL.canParse(path, base) ? new URL(path, base) : new URL(base);
  return pathname === '/callback' ? searchParams : undefined;
}

/** Such as `access_denied`. */
function readCode(error: string | null): string {
  return error !== null && /^[a-z_]{1,40}$/.test(error) ? error : 'without a reason';
}

class LoginRefused extends Error {}

/** What others say can hold data: the kind of the failure is told, no more. */
function describeFailure(error: unknown): string {
  if (error instanceof LoginRefused) return error.message;
  const { name, errorCode } = (error ?? {}) as { name?: string; errorCode?: string };
  return `could not be logged in at (${readCode(errorCode ?? null) === 'without a reason' ? (name ?? 'Error') : errorCode})`;
}

function tellFailure(address: string, why: string): number {
  process.stderr.write(`spec-hooks: ${printable(nameAddress(address))} ${why}.\n`);
  return exitCodes.findings;
}

function tell(text: string): void {
  process.stdout.write(text);
}
