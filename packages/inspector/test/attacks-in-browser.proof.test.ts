// What a page of somebody else, and what somebody else's text, could try: in a real browser, where rules about origins hold as they do for users.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sqliteStore } from '@spec/runtime/sqlite';
import { chromium } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { decodeText, encodeText } from '../src/address.ts';
import { buildPage, chromiumPath, closeBrowser, hasBrowser, openBrowser, watchPage } from './browser.ts';
import { openPage } from './open-page.ts';
import { serve } from './serve.ts';
import { makeSupportStore, newPath } from './support-store.ts';

const limit = { timeout: 120_000 };
afterAll(closeBrowser);

/** A page of another origin: the same address, another port. */
async function serveEvil(html: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe.skipIf(!hasBrowser)('in a browser', () => {
  test('a page whose name was bound to this address gets nothing', limit, async () => {
    const { path } = await makeSupportStore();
    const { port } = await serve(path, {}, await buildPage());
    const browser = await chromium.launch({
      executablePath: chromiumPath,
      args: ['--no-sandbox', '--host-resolver-rules=MAP evil.test 127.0.0.1'],
    });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const address = `http://evil.test:${port}/`;
    expect(await page.goto(address).catch(String)).toContain('ERR_HTTP_RESPONSE_CODE_FAILURE');
    // What the name gave before it was bound to this address.
    await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '<p>evil' }));
    await page.goto(address);
    const found = await page.evaluate<
      string[]
    >(`Promise.all(['/api/about', '/api/threads', '/api/session'].map((path) =>
      fetch(path, path.endsWith('session') ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' } : {})
        .then(async (answer) => answer.status + (await answer.text()), () => 'blocked')))`);
    // The browser itself may refuse before the server does.
    expect(found.filter((one) => one !== '403' && one !== 'blocked')).toEqual([]);
    expect(found).toHaveLength(3);
  });

  test('a page of another port reads nothing, frames nothing and posts nothing', limit, async () => {
    const { path } = await makeSupportStore();
    const { port, inspector, token } = await serve(path, {}, await buildPage());
    const target = `http://127.0.0.1:${port}`;
    const evil =
      await serveEvil(`<iframe src="${target}/"></iframe><img id="i" src="${target}/assets/icon.svg">
      <form id="f" method="post" action="${target}/api/session" enctype="text/plain" target="t"><input name='{"key":"' value='x"}'></form><iframe name="t"></iframe>`);
    const context = await openBrowser();
    const page = await context.newPage();
    await page.goto(evil);
    const key = inspector.makeLink().split('#key=')[1];
    const tries = await page.evaluate<string[]>(`Promise.all([
      fetch('${target}/api/threads', { headers: { authorization: 'Bearer ${token}' } }),
      fetch('${target}/api/threads', { mode: 'no-cors' }),
      fetch('${target}/api/session', { method: 'POST', mode: 'no-cors', body: '{"key":"${key}"}' }),
      fetch('${target}/'),
      import('${target}/assets/page.js'),
    ].map((tried) => tried.then(async (answer) => answer.type + answer.status + (await answer.text?.()), () => 'blocked')))`);
    expect(tries.map((tried) => tried.replace('opaque0', 'blocked'))).toEqual(Array(5).fill('blocked'));
    await page.evaluate(`document.querySelector('#f').submit()`);
    const frames = page.frames().slice(1);
    for (const frame of frames) expect(await frame.content().catch(() => '')).not.toContain('id="page"');
    // The key was good all the time: nobody could use it.
    const other = await context.newPage();
    await other.goto(`${target}/#key=${key}`);
    await other.waitForSelector('.thread');
  });

  const texts = [
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '"><svg onload=alert(1)>',
    "javascript:alert('1')",
    '[link](javascript:alert(1)) ![image](http://evil.test/x.png)',
    '{{constructor.constructor("alert(1)")()}}',
    '__proto__',
    'constructor',
    '\u202etxt.exe\u202c right to left',
    'zero\u200bwidth \ufeff mark \u2066 isolate',
    'bell \u0007 escape \u001b[31m red',
    'lone \ud800 surrogate',
    `${'long'.repeat(200_000)}`,
    'line\n'.repeat(5_000),
    '%2e%2e%2f..%00',
    '#key=stolen',
    '.',
    '~002e',
    '</style><script>alert(1)</script>',
    "'; drop table messages; --",
    '=cmd|calc',
  ];

  test('texts of somebody else are texts in every field, whatever is in them', limit, async () => {
    const path = newPath();
    const store = sqliteStore({ path, synchronous: 'NORMAL' });
    const at = 1_790_000_000_000_000;
    for (const [i, text] of texts.entries()) {
      const name = text.slice(0, 200).replaceAll('\0', '') + i;
      await store.createThread({
        ...{
          id: name,
          agentId: text.slice(0, 200),
          userId: text,
          parentId: null,
          depth: 0,
          createdAt: at + i,
        },
        ...{ currentSide: 'a', terminated: null, turn: null, compaction: null, metadata: {} },
      });
      const calls = JSON.stringify([
        { id: name, type: 'function', function: { name: text.slice(0, 300), arguments: text.slice(0, 300) } },
      ]);
      const run = {
        threadId: name,
        turnId: null,
        step: 0,
        hook: 'before_create_message',
        changed: true,
        ms: 1,
        sizeBefore: 1,
        sizeAfter: 2,
      };
      await store.append(name, 0, {
        messages: [
          { id: `${name}-m`, role: 'user', content: text, created_at: at + i },
          { id: `${name}-a`, role: 'assistant', content: null, tool_calls: calls, created_at: at + i + 1 },
          {
            id: `${name}-t`,
            role: 'tool',
            content: text,
            name: text.slice(0, 300),
            tool_call_id: name,
            created_at: at + i + 2,
          },
        ],
        runs: [
          {
            ...run,
            at: at + i,
            id: name,
            source: text.slice(0, 300),
            outcome: 'changed',
            why: text.slice(0, 300),
            about: { message: `${name}-m` },
          },
        ],
      });
    }
    await store.close();
    const { page, go, faults, context, port, token } = await openPage(path);
    const elsewhere: string[] = [];
    context.on('request', (request) => {
      const isOurs = request.url().startsWith(`http://127.0.0.1:${port}/`);
      if (!isOurs && !request.url().startsWith('file:')) elsewhere.push(request.url());
    });
    await page.waitForSelector('.thread');
    expect(await page.locator('.thread').count()).toBe(texts.length);
    const links = await page
      .locator('.thread')
      .evaluateAll((found) => found.map((one) => one.getAttribute('href') ?? ''));
    const saved = await context.newPage();
    const faultsOfSaved = watchPage(saved);
    for (const link of links) {
      await go(link);
      await page.waitForSelector('.message');
      const id = encodeText(`${decodeText(decodeURIComponent(link.slice('/t/'.length)))}-m`);
      await go(`${link}/m/${encodeURIComponent(id)}`);
      await page.waitForSelector('.chain-run');
      await page.locator('.chain-run').first().click();
      await page.waitForSelector('.sheet .facts');
      const answer = await fetch(
        `http://127.0.0.1:${port}/api/export/threads${link.slice('/t'.length)}/html`,
        {
          headers: { authorization: `Bearer ${token}` },
        },
      );
      const file = newPath('saved.html');
      writeFileSync(file, await answer.text());
      await saved.goto(`file://${file}`);
      expect(await saved.locator('article').count()).toBe(3);
      expect(await saved.locator('main :is(img, script, svg, a, iframe)').count()).toBe(0);
    }
    expect(faultsOfSaved).toEqual([]);
    for (const address of ['/log', '/hooks']) {
      await go(address);
      await expect.poll(() => page.locator('.waiting').count()).toBe(0);
    }
    expect(elsewhere).toEqual([]);
    expect(faults).toEqual([]);
    await go(links.find((link) => link.includes('txt.exe')) ?? '');
    await expect
      .poll(() => page.locator('.message.is-user').textContent())
      .toContain('\\u{202e}txt.exe\\u{202c} right to left');
    await go(links.find((link) => link.includes('img%20src')) ?? '');
    await expect
      .poll(() => page.locator('.message.is-user').textContent())
      .toContain('<img src=x onerror=alert(1)>');
    expect(await page.locator('main img, main script, main svg[onload]').count()).toBe(0);
  });

  test(
    'a name or code that turns the text around it is shown by its number, in each view',
    limit,
    async () => {
      const path = newPath();
      const store = sqliteStore({ path, synchronous: 'NORMAL' });
      const evil = (what: string): string => `${what}\u202elive`;
      const [thread, turn, message] = [evil('thread'), evil('turn'), evil('message')];
      await store.createThread({
        ...{ id: thread, agentId: evil('agent'), userId: null, parentId: null, depth: 0, createdAt: 1 },
        ...{ currentSide: 'a', terminated: null, turn: null, compaction: null, metadata: {} },
      });
      const at = 1_790_000_000_000_000;
      const place = { threadId: thread, turnId: turn, step: 1, at, ms: 1 };
      const named = { hook: evil('hook'), id: evil('id'), source: evil('source'), code: evil('code') };
      const ran = { changed: false, sizeBefore: 1, sizeAfter: 1, about: { message } };
      await store.append(thread, 0, {
        messages: [{ id: message, role: 'user', content: evil('content'), created_at: at + 1 }],
        runs: (['ok', 'failed'] as const).map((outcome) => ({
          ...place,
          ...named,
          ...ran,
          outcome,
        })) as never,
        marks: [
          {
            ...place,
            kind: 'model',
            model: evil('model'),
            code: evil('code'),
            inputTokens: 1,
            outputTokens: 1,
          },
          { ...place, kind: 'end', status: 'completed' },
        ],
      });
      await store.close();
      const { page, go, get } = await openPage(path);
      const link = (...parts: string[]): string =>
        `/${parts.map((part) => encodeURIComponent(encodeText(part))).join('/')}`;
      const { items } = await get<{ items: { run: string }[] }>('/api/runs');
      const views = {
        ...{ '/': '.thread', '/log': '.log-row', '/hooks': '.hook-table', [link('t', thread)]: '.message' },
        ...{
          [link('t', thread, 'm', message)]: '.chain-run',
        },
        ...{ [`/run/${items[0]?.run}`]: '.facts', [link('hooks', evil('hook'), evil('id'))]: '.figures' },
        ...{ [link('t', thread, 'turn', turn)]: '.bar-row' },
      };
      for (const [view, shows] of Object.entries(views)) {
        await go(view);
        await page.waitForSelector(shows);
        const drawn = `${await page.title()} ${await page.locator('body').innerHTML()}`;
        expect(drawn.replace(/href="[^"]*"/g, '').match(/.{0,60}\u202e/g), view).toBe(null);
        expect(drawn).toContain('\\u{202e}live');
      }
    },
  );
});
