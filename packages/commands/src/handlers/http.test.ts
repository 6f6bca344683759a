// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the handler fills in
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { HttpHandler } from '../entry-handler.ts';
import type { HandlerEnd } from './handler-end.ts';
import { type HttpLimits, runHttp, whyNeverAsked } from './http.ts';

const servers: Server[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Request {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A real server on this machine, with what it was asked. */
async function serve(
  respond: (request: Request, response: ServerResponse) => void,
): Promise<{ url: string; port: number; requests: Request[] }> {
  const requests: Request[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method, url, headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      requests.push(request);
      respond(request, response);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, port, requests };
}

const payload = '{"hook_event_name":"PreToolUse"}';

function ask(
  url: string,
  more: Partial<HttpHandler> = {},
  limits: Partial<HttpLimits> = {},
): Promise<HandlerEnd> {
  const handler: HttpHandler = { type: 'http', url, ...more };
  const signal = new AbortController().signal;
  return runHttp({ handler, payload, env: {}, payloadVariables: {} }, handler, {
    timeoutMs: 5_000,
    signal,
    ...limits,
  });
}

const readText = (end: HandlerEnd): string =>
  'answer' in end ? new TextDecoder().decode(end.answer.stdout) : `failed: ${end.failure.why}`;

describe('an http handler', () => {
  test('posts the payload, and the body of the response is its answer', async () => {
    const { url, requests } = await serve((_, response) => response.end('{"decision":"block"}'));
    expect(await ask(url)).toEqual({
      answer: {
        exitCode: 0,
        stdout: new TextEncoder().encode('{"decision":"block"}'),
        stderr: new Uint8Array(),
      },
    });
    expect(requests).toMatchObject([
      { method: 'POST', body: payload, headers: { 'content-type': 'application/json' } },
    ]);
  });

  test('fills in the variables that its headers may name, and no others', async () => {
    vi.stubEnv('HOOK_TOKEN', 'token-1');
    vi.stubEnv('HOST_SECRET', 'secret-1');
    const { url, requests } = await serve((_, response) => response.end());
    const headers = {
      Authorization: 'Bearer $HOOK_TOKEN',
      'X-Both': '${HOOK_TOKEN}.${HOST_SECRET}.$HOST_SECRET',
    };
    expect(
      readText(
        await ask(url, { headers, allowedEnvVars: ['HOOK_TOKEN'] }, { pass: ['HOOK_TOKEN', 'HOST_SECRET'] }),
      ),
    ).toBe('');
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer token-1', 'x-both': 'token-1..' });
  });

  test('a variable that the operator does not pass on is no answer, and nothing is sent', async () => {
    const { url, requests } = await serve((_, response) => response.end());
    const end = await ask(url, { headers: { 'x-a': '$HOST_SECRET' }, allowedEnvVars: ['HOST_SECRET'] });
    expect(readText(end)).toBe(
      'failed: its headers need the variable HOST_SECRET of the host: name it in pass',
    );
    expect(requests).toEqual([]);
  });

  test.each([404, 500, 301])('status %d is no answer', async (status) => {
    const { url } = await serve((_, response) =>
      response.writeHead(status, { location: '/' }).end('{"decision":"block"}'),
    );
    expect(await ask(url)).toMatchObject({
      failure: { effect: 'onLaunchError', why: `it answered with status ${status}` },
    });
  });

  test('nobody there is no answer', async () => {
    const { url } = await serve((_, response) => response.end());
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve));
    expect(readText(await ask(url))).toMatch(/could not be reached$/);
  });

  test('of an answer past 1 MB the rest is not read, and that is said', async () => {
    const { url } = await serve((_, response) => response.end(Buffer.alloc(1024 * 1024 + 1, 'a')));
    const end = await ask(url);
    expect(end).toMatchObject({ answer: { cut: { mentionsAnswer: false } } });
    expect(readText(end)).toHaveLength(1024 * 1024);
  });

  test.each([
    ['text is no answer', 'hello', { failure: { why: 'it did not answer to the end' } }],
    ['JSON is a part of one', '{"decision"', { answer: { cut: { mentionsAnswer: false } } }],
  ])('an answer that breaks off: %s', async (_, part, expected) => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write(part);
      setTimeout(() => response.destroy(), 20);
    });
    expect(await ask(url)).toMatchObject(expected);
  });

  test('ends at its timeout, also while the body is coming', async () => {
    const { url } = await serve((_, response) => void response.write('{'));
    expect(await ask(url, {}, { timeoutMs: 100 })).toMatchObject({
      outcome: 'timed_out',
      failure: { effect: 'onTimeout' },
    });
  });

  test('ends when it is aborted, and does not begin when it already was', async () => {
    const { url, requests } = await serve(() => {});
    const controller = new AbortController();
    const asked = ask(url, {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    expect(await asked).toMatchObject({ outcome: 'aborted' });
    expect(requests.length).toBeLessThan(2);
    expect(await ask(url, {}, { signal: controller.signal })).toMatchObject({ outcome: 'aborted' });
  });
});

test('a url with a password is never asked, and the answer says so without it', async () => {
  const { port, requests } = await serve((_, response) => response.end());
  const url = `http://ada:hunter2@127.0.0.1:${port}/`;
  const why = 'its url holds a user or a password: put them into a header';
  expect(whyNeverAsked({ type: 'http', url }, {})).toBe(why);
  expect(readText(await ask(url))).toBe(`failed: ${why}`);
  expect(requests).toEqual([]);
});

describe('the hosts that may be asked', () => {
  test.each([
    ['http://10.0.0.1/', [], '10.0.0.1'],
    ['http://example.com/', [], 'example.com'],
    ['http://localhost.example.com/', [], 'localhost.example.com'],
    ['http://127.0.0.1.example.com/', [], '127.0.0.1.example.com'],
    ['http://example.com/', ['example.org'], 'example.com'],
    ['http://evilexample.com/', ['*.example.com'], 'evilexample.com'],
    ['http://example.com:8080/', ['example.com:9090'], 'example.com:8080'],
  ])('%s is not with %j', async (url, allowedHosts, host) => {
    expect(readText(await ask(url, {}, { allowedHosts }))).toBe(
      `failed: the host ${host} may not be asked: name it in allowedHosts`,
    );
  });

  test('a redirect is followed on this machine, with the payload', async () => {
    const other = await serve((_, response) => response.end('there'));
    const { url } = await serve((_, response) => response.writeHead(307, { location: other.url }).end());
    expect(readText(await ask(url, { headers: { 'x-token': 'mine' } }))).toBe('there');
    expect(other.requests).toMatchObject([{ method: 'POST', body: payload }]);
    expect(other.requests[0]?.headers['x-token']).toBeUndefined();
  });

  test('a redirect to a foreign host is not', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(307, { location: 'http://example.com/' }).end(),
    );
    expect(readText(await ask(url))).toBe(
      'failed: the host example.com may not be asked: name it in allowedHosts',
    );
  });

  test('nor a redirect without end', async () => {
    const { url, requests } = await serve((_, response) =>
      response.writeHead(308, { location: '/again' }).end(),
    );
    expect(readText(await ask(url))).toContain('redirected more than 5 times');
    expect(requests).toHaveLength(6);
  });
});
