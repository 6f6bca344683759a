// Every route, by every way a page of another site could ask for it, over a socket.
import type { Records } from '@spec/hooks';
import { expect, test } from 'vitest';
import type { Asks, HookProject } from '../src/index.ts';
import { createApp } from '../src/server/create-app.ts';
import { createKeys } from '../src/walls/keys.ts';
import { askRaw, type RawAnswer, type RawHeaders } from './ask.ts';
import { serve } from './serve.ts';
import { makeSupportStore } from './support-store.ts';

/** A request to a route that is answered where all walls let it pass. */
interface RouteCase {
  readonly ask: string;
  readonly body?: string;
  /** Answered without a token. */
  readonly isOpen?: true;
  readonly status: number;
}

const thread = 'order-1042';

/** Every route that is registered, by its method and pattern. A new route fails until it stands here. */
const routes: Readonly<Record<string, RouteCase>> = {
  'POST /api/session': { ask: '/api/session', body: '{"key":"wrong"}', isOpen: true, status: 403 },
  'GET /api/about': { ask: '/api/about', status: 200 },
  'GET /api/threads': { ask: '/api/threads?size=5', status: 200 },
  'GET /api/threads/:thread': { ask: `/api/threads/${thread}`, status: 200 },
  'GET /api/threads/:thread/messages': { ask: `/api/threads/${thread}/messages`, status: 200 },
  'GET /api/threads/:thread/messages/:message': { ask: `/api/threads/${thread}/messages/none`, status: 404 },
  'GET /api/threads/:thread/messages/:message/chain': {
    ask: `/api/threads/${thread}/messages/none/chain?values=1`,
    status: 404,
  },
  'GET /api/hooks': { ask: '/api/hooks', status: 200 },
  'GET /api/hooks/:hook/:id': { ask: '/api/hooks/before_tool_call/no_deletes', status: 200 },
  'POST /api/explain': { ask: '/api/explain', body: '{"thread":"none","message":"none"}', status: 404 },
  'POST /api/rerun': { ask: '/api/rerun', body: '{"thread":"none","message":"none"}', status: 404 },
  'GET /api/export/threads/:thread/:form': { ask: '/api/export/threads/none/html', status: 404 },
  'GET /api/export/runs/:form': { ask: '/api/export/runs/csv?id=none', status: 200 },
  'GET /api/asks': { ask: '/api/asks', status: 200 },
  'GET /api/asks/:thread/:id/earlier': { ask: '/api/asks/none/none/earlier', status: 404 },
  'POST /api/answers': {
    ask: '/api/answers',
    body: '{"thread":"none","id":"none","digest":"none","allow":true}',
    status: 404,
  },
  'GET /api/runs': { ask: '/api/runs', status: 200 },
  'GET /api/runs/:name': { ask: '/api/runs/m1x2y3z4ab-09af', status: 404 },
  'GET /api/search': { ask: '/api/search?text=card', status: 200 },
  'GET /api/threads/:thread/turns': { ask: `/api/threads/${thread}/turns`, status: 200 },
  'GET /api/threads/:thread/turns/:turn': { ask: `/api/threads/${thread}/turns/none`, status: 404 },
  'GET /api/threads/:thread/turns/:turn/sent/:step': {
    ask: `/api/threads/${thread}/turns/none/sent/1`,
    status: 404,
  },
  'GET /api/series': { ask: '/api/series?since=1&until=2', status: 200 },
  'GET /api/stats': { ask: '/api/stats', status: 200 },
  'GET /api/live': { ask: '/api/live', status: 200 },
  'GET /*': { ask: '/t/order-1042', isOpen: true, status: 200 },
};

const page = new Map([['/index.html', { type: 'text/html', bytes: new TextEncoder().encode('<p>page') }]]);

/** It may run hooks, so that all routes are there; none of these requests gets as far. */
const project: HookProject = {
  list: async () => ({ hooks: [], problems: [] }),
  explain: () => Promise.reject(new Error('unasked')),
  run: () => Promise.reject(new Error('unasked')),
};

const asks: Asks = { list: async () => [], answer: async () => false };

const open = async () => {
  const { path } = await makeSupportStore();
  return serve(path, { hooks: project, asks }, page);
};

test('every route that is registered stands in the table', () => {
  const app = createApp({
    records: {} as Records,
    hooks: project,
    asks,
    name: '',
    keys: createKeys(),
    files: page,
    ended: new AbortController().signal,
  });
  // Walls are registered for all methods.
  const registered = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path}`);
  expect(registered.toSorted()).toEqual(Object.keys(routes).toSorted());
});

/** What the name of a host may be; the port is put in. */
const hosts: readonly (readonly [host: string, isOurs: boolean])[] = [
  ['127.0.0.1:PORT', true],
  ['localhost:PORT', true],
  ['[::1]:PORT', true],
  ['127.0.0.1:8080', true], // through a tunnel
  ['LOCALHOST:PORT', true],
  ['evil.test', false],
  ['evil.test:PORT', false],
  ['127.0.0.1.evil.test:PORT', false],
  ['localhost.evil.test', false],
  ['127.0.0.1@evil.test', false],
  ['evil.test#127.0.0.1', false],
  ['127.0.0.2:PORT', false],
  ['0.0.0.0:PORT', false],
  ['', false],
];

const origins = [
  undefined,
  'HOST',
  'http://evil.test',
  'null',
  'http://127.0.0.1:1',
  'https://HOST',
] as const;
const sites = [undefined, 'same-origin', 'none', 'same-site', 'cross-site'] as const;
const tokens = ['right', 'wrong', 'none'] as const;
const methods = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'] as const;

interface Attempt {
  readonly method: string;
  readonly host: string;
  readonly isOurs: boolean;
  readonly origin: string | undefined;
  readonly site: string | undefined;
  readonly given: (typeof tokens)[number];
}

/** The share of this day of what is long, one of so many; all of it in `npm run test:everything`. */
function pickShare<Item>(items: readonly Item[], shares: number): readonly Item[] {
  const day = process.env.SAMPLE_OF_DAY;
  return day === undefined ? items : items.filter((_, at) => at % shares === Number(day) % shares);
}

/** All ways to ask for a route; hosts that are not ours and odd methods only with what would help them most. */
function* listAttempts(ownMethod: string, port: number): Generator<Attempt> {
  for (const [written, isOurs] of hosts)
    for (const named of isOurs ? origins : [undefined])
      for (const site of isOurs ? sites : [undefined, 'same-origin'])
        for (const given of tokens) {
          const host = written.replace('PORT', String(port));
          const origin = named === 'HOST' ? `http://${host}` : named?.replace('HOST', host);
          const isPlain = written === hosts[0]?.[0] && origin === undefined;
          for (const method of isPlain ? methods : [ownMethod])
            yield { method, host, isOurs, origin, site, given };
        }
}

function sendAttempt(port: number, token: string, route: RouteCase, attempt: Attempt): Promise<RawAnswer> {
  const { method, host, origin, site, given } = attempt;
  const headers: [string, string][] = [['Host', host]];
  if (origin !== undefined) headers.push(['Origin', origin]);
  if (site !== undefined) headers.push(['Sec-Fetch-Site', site]);
  if (given !== 'none')
    headers.push(['Authorization', `Bearer ${given === 'right' ? token : 'x'.repeat(43)}`]);
  if (method === 'POST') headers.push(['Content-Type', 'application/json']);
  const { body = '' } = method === 'POST' ? { body: '{}', ...route } : {};
  return askRaw(port, `${method} ${route.ask}`, { headers, body });
}

function expectStatus(ownMethod: string, route: RouteCase, attempt: Attempt): number {
  const { method, host, isOurs, origin, site, given } = attempt;
  const isApi = route.ask.startsWith('/api');
  if (!isOurs || (origin !== undefined && origin !== `http://${host}`)) return 403;
  if (site !== undefined && site !== 'same-origin' && (site !== 'none' || isApi)) return 403;
  if (method !== 'GET' && method !== 'POST') return 405;
  const isOpen = !isApi || (route.isOpen === true && method === ownMethod);
  if (!isOpen && given !== 'right') return 401;
  return method === ownMethod ? route.status : 404;
}

test.each(Object.entries(routes))(
  '%s is answered to its own page, and to nobody else',
  { timeout: 120_000 },
  async (name, route) => {
    const { port, token } = await open();
    const [ownMethod = ''] = name.split(' ');
    const asked = [...listAttempts(ownMethod, port)];
    expect(asked.length).toBeGreaterThan(400);
    for (const attempt of pickShare(asked, 5)) {
      const answer = await sendAttempt(port, token, route, attempt);
      const what = JSON.stringify(attempt);
      expect(answer.status, what).toBe(expectStatus(ownMethod, route, attempt));
      if (answer.status === 403 && route.status !== 403) expect(answer.body, what).toBe('');
      expect([...answer.headers.keys()].join(), what).not.toContain('access-control');
      expect(answer.headers.get('content-security-policy'), what).toContain("default-src 'none'");
      expect(answer.headers.has('set-cookie'), what).toBe(false);
      expect(answer.headers.get('cache-control'), what).toBe('no-store');
    }
  },
);

test('a request without one host, with two, or for another address is refused', async () => {
  const { port, token } = await open();
  const authorization = ['Authorization', `Bearer ${token}`] as const;
  const host = ['Host', `127.0.0.1:${port}`] as const;
  const ask = (line: string, headers: RawHeaders) =>
    askRaw(port, line, { headers: [...headers, authorization] });
  expect((await ask('GET /api/about', [])).status).toBe(400); // Node says this before we are asked.
  expect((await ask('GET /api/about', [host, ['Host', 'evil.test']])).status).toBe(403);
  expect((await ask('GET http://evil.test/api/about', [host])).status).toBe(400);
  expect((await ask('GET /api/about', [host])).status).toBe(200);
  expect((await ask('GET /API/about', [host])).status).toBe(404);
  expect((await ask('GET //api/about', [host])).body).not.toContain('support.db');
  expect((await ask('GET /assets/../../package.json', [host])).status).not.toBe(500);
});

test('a key is good once, the newest only, and nothing is sent as a form', async () => {
  const { port, inspector } = await open();
  const send = (body: string, type = 'application/json') =>
    askRaw(port, 'POST /api/session', {
      headers: [
        ['Host', `127.0.0.1:${port}`],
        ['Content-Type', type],
      ],
      body,
    });
  const keyIn = (link: string) => JSON.stringify({ key: link.split('#key=')[1] });
  const old = keyIn(inspector.makeLink());
  const body = keyIn(inspector.makeLink());
  expect((await send(old)).status).toBe(403);
  expect((await send(body, 'text/plain')).status).toBe(415);
  expect((await send(body, 'application/x-www-form-urlencoded')).status).toBe(415);
  expect((await send(`{"key":"${'x'.repeat(300_000)}"}`)).status).toBe(413);
  expect((await send('{"key":')).status).toBe(400);
  const used = await send(body);
  expect(used.status).toBe(200);
  expect(JSON.parse(used.body).token).toHaveLength(43);
  const again = await send(body);
  expect(again.status).toBe(403);
  expect(again.body).toContain('Press Enter in the terminal');
});

test('without leave there is no route that runs hooks or answers', async () => {
  const { path } = await makeSupportStore();
  const { port, token } = await serve(
    path,
    { hooks: { list: project.list, explain: project.explain } },
    page,
  );
  const headers: RawHeaders = [
    ['Host', `127.0.0.1:${port}`],
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
  ];
  for (const route of ['POST /api/rerun', 'POST /api/answers', 'GET /api/asks'])
    expect((await askRaw(port, route, { headers, body: '{"thread":"t","message":"m"}' })).status).toBe(404);
});

test('a link of elsewhere opens the page in a tab, and neither in a frame nor any data', async () => {
  const { port, token } = await open();
  const ask = async (path: string, target: string) => {
    const headers: RawHeaders = [
      ['Host', `127.0.0.1:${port}`],
      ['Authorization', `Bearer ${token}`],
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Mode', 'navigate'],
      ['Sec-Fetch-Dest', target],
    ];
    return (await askRaw(port, `GET ${path}`, { headers })).status;
  };
  expect(await ask('/', 'document')).toBe(200);
  expect(await ask('/', 'iframe')).toBe(403);
  expect(await ask('/', 'embed')).toBe(403);
  expect(await ask('/api/threads', 'document')).toBe(403);
});

test('a route is known as one of data however its path is written', async () => {
  const { port, token } = await open();
  const headers: RawHeaders = [
    ['Host', `127.0.0.1:${port}`],
    ['Authorization', `Bearer ${token}`],
    ['Sec-Fetch-Site', 'none'],
  ];
  const paths = [
    '/%61pi/about',
    '/%41PI/about',
    '/./api/about',
    '/x/../api/about',
    '/%2e/api/about',
    '//api/about',
    '/api%2fabout',
    '/\\api/about',
    '/%ff',
  ];
  for (const path of paths) expect((await askRaw(port, `GET ${path}`, { headers })).status, path).toBe(403);
  expect((await askRaw(port, 'GET /t/caf%C3%A9', { headers })).status).toBe(200);
});

test('a body without fields is refused, and brings nothing down', async () => {
  const { port, token } = await open();
  const headers: RawHeaders = [
    ['Host', `127.0.0.1:${port}`],
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
  ];
  for (const path of ['session', 'answers', 'explain', 'rerun'])
    for (const body of ['null', '[]', '5', '{'])
      expect((await askRaw(port, `POST /api/${path}`, { headers, body })).status, `${path} ${body}`).toBe(
        400,
      );
});
