import { request as send } from 'node:http';
import { expect, test } from 'vitest';
import { serve } from './server.ts';
import { openShop } from './shop.ts';

async function withServer(run: (url: string) => Promise<void>): Promise<number> {
  const runtime = openShop({ redacts: false });
  const thread = await runtime.createThread({ agent: 'shop' });
  const { url, server } = await serve(thread);
  try {
    await run(url);
    return (await thread.messages()).length;
  } finally {
    server.closeAllConnections();
    server.close();
    await runtime.close();
  }
}

/** Sends a body without an end, until the server answers. Gives its status, and how many bytes it took. */
function flood(url: string): Promise<{ status: number | undefined; bytes: number }> {
  return new Promise((resolve) => {
    let bytes = 0;
    let status: number | undefined;
    const request = send(url, { method: 'POST' });
    const piece = Buffer.alloc(64 * 1024, ' ');
    const write = (): void => {
      while (status === undefined && !request.destroyed && request.write(piece)) bytes += piece.length;
    };
    request.on('drain', write);
    request.on('response', (response) => {
      status = response.statusCode;
      request.destroy();
    });
    request.on('error', () => {});
    request.on('close', () => resolve({ status, bytes }));
    write();
  });
}

test('a body that never ends is refused, and stored nowhere', async () => {
  const stored = await withServer(async (url) => {
    const { status, bytes } = await flood(url);
    expect(status).toBe(413);
    expect(bytes).toBeLessThan(20_000_000); // What the sockets hold, not what could be sent.
  });
  expect(stored).toBe(0);
});

test('nothing but a post is a chat request', async () => {
  const body = JSON.stringify({ messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] });
  const stored = await withServer(async (url) => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(url, { method, body });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url, { method: 'POST', body: 'no JSON' })).status).toBe(400);
  });
  expect(stored).toBe(0);
});
