import type { HttpHandler } from '../entry-handler.ts';
import type { Invocation } from '../normal-form.ts';
import { readAnyText } from '../run/read-output.ts';
import { type Limits, withinLimits } from './deadline.ts';
import { answeredWith, type HandlerEnd, type HandlerFailed, notAnswered } from './handler-end.ts';

/** What an http handler may do. */
export interface HttpLimits extends Limits {
  /** Hosts it may call besides this machine: `example.com`, `example.com:8443`, `*.example.com`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Variables of the host's environment that its headers may contain if they ask for them. */
  readonly pass?: readonly string[] | undefined;
}

/** Why an entry can never be called under these limits, as the end of a sentence about it. */
export function whyNeverAsked(
  { url, allowedEnvVars }: HttpHandler,
  { allowedHosts = [], pass = [] }: Pick<HttpLimits, 'allowedHosts' | 'pass'>,
): string | undefined {
  const withheld = allowedEnvVars?.find((name) => !pass.includes(name));
  if (withheld !== undefined) return `its headers need the variable ${withheld} of the host: name it in pass`;
  if (!URL.canParse(url)) return 'its url is invalid';
  const { host, username, password } = new URL(url);
  if (username !== '' || password !== '') return 'its url holds a user or a password: put them into a header';
  if (isAllowed(new URL(url), allowedHosts)) return undefined;
  return `the host ${host} may not be asked: name it in allowedHosts`;
}

/** The most redirects that are followed, each only to an allowed host. */
const MOST_REDIRECTS = 5;

/** The most bytes of an answer that are read. */
const MOST_BYTES = 1024 * 1024;

/**
 * Sends the payload to an address by POST. The answer is the body of a 2xx response. Never rejects.
 *
 * H1 Only this machine and the allowed hosts are called, also after a redirect.
 * H2 A variable of the host goes into a header only if both the file and the operator name it.
 * H3 Headers with a variable of the host's environment go only to the origin that the file names.
 */
export async function runHttp(
  invocation: Invocation,
  handler: HttpHandler,
  limits: HttpLimits,
): Promise<HandlerEnd> {
  const { allowedHosts = [] } = limits;
  const never = whyNeverAsked(handler, limits);
  if (never !== undefined) return notAnswered(never);
  const headers = fillHeaders(handler);
  const kept: Uint8Array[] = [];
  const ended = await withinLimits(limits, async (signal) => {
    let url = new URL(handler.url);
    const { origin } = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      if (!isAllowed(url, allowedHosts))
        return notAnswered(`the host ${url.host} may not be asked: name it in allowedHosts`);
      const response = await post(url, {
        body: invocation.payload,
        headers: url.origin === origin ? headers : BODY_HEADERS,
        signal,
      });
      if (response === undefined) return notAnswered(`${url.host} could not be reached`);
      const next = findRedirect(response, url);
      if (next === undefined) return readEnd(response, kept);
      await response.body?.cancel();
      url = next;
    }
    return notAnswered(`${url.host} redirected more than ${MOST_REDIRECTS} times`);
  });
  return 'failure' in ended && kept.length > 0 ? { ...ended, printed: joinBody(kept) } : ended;
}

interface Post {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

async function post(url: URL, { body, headers, signal }: Post): Promise<Response | undefined> {
  try {
    return await fetch(url, { method: 'POST', body, headers: { ...headers }, signal, redirect: 'manual' });
  } catch {
    return undefined;
  }
}

const BODY_HEADERS: Readonly<Record<string, string>> = { 'content-type': 'application/json' };

/** Fills in `$NAME` and `${NAME}` of allowed variables; all others become empty. */
function fillHeaders({ headers = {}, allowedEnvVars = [] }: HttpHandler): Record<string, string> {
  const filled = Object.entries(headers).map(([name, value]): [string, string] => {
    const text = value.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) => {
      const variable = (braced ?? bare) as string;
      return allowedEnvVars.includes(variable) ? (process.env[variable] ?? '') : '';
    });
    return [name.toLowerCase(), text.replace(/[\r\n\0]/g, '')];
  });
  return { ...BODY_HEADERS, ...Object.fromEntries(filled) };
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function isAllowed(url: URL, allowedHosts: readonly string[]): boolean {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  if (LOOPBACK.test(url.hostname)) return true;
  return allowedHosts.some((host) =>
    host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : host === url.host || host === url.hostname,
  );
}

/** The address a response redirects to. A response that is not a method-keeping redirect is an answer. */
function findRedirect(response: Response, from: URL): URL | undefined {
  if (response.status !== 307 && response.status !== 308) return undefined;
  const location = response.headers.get('location') ?? '';
  return URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
}

/** What has come of a body that did not end in time. */
function joinBody(kept: readonly Uint8Array[]): NonNullable<HandlerFailed['printed']> {
  const stdout = new Uint8Array(Buffer.concat(kept).subarray(0, MOST_BYTES));
  return { stdout, stderr: new Uint8Array(), cut: { mentionsAnswer: false } };
}

/** @param kept gets the body as it comes */
async function readEnd(response: Response, kept: Uint8Array[]): Promise<HandlerEnd> {
  if (!response.ok) {
    await response.body?.cancel().catch(() => {});
    return notAnswered(`it answered with status ${response.status}`);
  }
  const { stdout, end } = await readBody(response, kept);
  if (end === 'whole') return answeredWith(stdout);
  if (end === 'too_long' || beginsAsJson(stdout)) return answeredWith(stdout, { mentionsAnswer: false });
  return notAnswered('it did not answer to the end');
}

/** The part that was cut off may have been a refusal. */
function beginsAsJson(bytes: Uint8Array): boolean {
  return readAnyText(bytes).trimStart().startsWith('{');
}

interface Body {
  readonly stdout: Uint8Array;
  readonly end: 'whole' | 'too_long' | 'broken';
}

async function readBody({ body }: Response, chunks: Uint8Array[]): Promise<Body> {
  let size = 0;
  let end: Body['end'] = 'whole';
  try {
    for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= MOST_BYTES) continue;
      end = 'too_long';
      break;
    }
  } catch {
    end = 'broken';
  }
  return { stdout: new Uint8Array(Buffer.concat(chunks).subarray(0, MOST_BYTES)), end };
}
