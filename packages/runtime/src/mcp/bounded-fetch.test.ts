import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createKit } from '../../test/kit.ts';
import { readResults, withServer } from '../../test/mcp/servers.ts';
import { memoryStore } from '../stores/memory/index.ts';

/** How a server answers the call of its tool, and what a test needs to know of it. */
interface Answering {
  /** Settles when the answer to the call is over, whoever ended it. */
  readonly ended: Promise<void>;
  readonly url: string;
}

type Answer = (response: ServerResponse, id: number) => void;

/** A server with one tool, which answers calls of it in its own way. */
async function answering(answer: Answer, run: (server: Answering) => Promise<void>): Promise<void> {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const server = createServer(async (request, response) => {
    const { method, id } = JSON.parse((await text(request)) || '{}') as { method?: string; id: number };
    const reply = (result: unknown): unknown =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    if (method === 'initialize')
      reply({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo });
    else if (method === 'tools/list') reply({ tools: [{ name: 'say', inputSchema: { type: 'object' } }] });
    else if (method === 'tools/call') answer(response.once('close', end), id);
    else response.writeHead(request.method === 'POST' ? 202 : 405).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await run({ ended, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const serverInfo = { name: 'odd', version: '1' };

async function text(chunks: AsyncIterable<unknown>): Promise<string> {
  let all = '';
  for await (const chunk of chunks) all += String(chunk);
  return all;
}

const piece = 'x'.repeat(1 << 16);

/** Sends for as long as somebody reads. */
function sendForEver(response: ServerResponse, type: string, start: string): void {
  response.writeHead(type === 'text/plain' ? 500 : 200, { 'content-type': type }).write(start);
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

describe('a server at an address cannot make the application read for ever', () => {
  const endless: Readonly<Record<string, Answer>> = {
    'an answer without end': (response, id) =>
      sendForEver(
        response,
        'application/json',
        `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`,
      ),
    'an event without end': (response) =>
      sendForEver(response, 'text/event-stream', 'event: message\ndata: '),
    'an error without end': (response) => sendForEver(response, 'text/plain', 'no'),
    'no answer': () => {},
  };
  for (const [what, answer] of Object.entries(endless))
    test(`by ${what}`, { timeout: 30_000 }, async () => {
      const kit = createKit(memoryStore());
      await answering(answer, ({ url, ended }) =>
        withServer({ name: 'odd', url, timeout: '5s' }, async ({ tools }) => {
          const { thread } = await kit.thread({
            tools,
            script: [{ toolCalls: [{ name: 'mcp__odd__say' }] }, 'ok'],
          });
          await thread.send('Go');
          const [result] = await readResults(thread);
          expect(result).toMatch(
            /^The MCP server "odd" (?:sent more than \d+ bytes in one message|did not answer|answered with HTTP 500)/,
          );
          await ended; // though the server is still in use
        }),
      );
      await kit.close();
    });

  test('and a long stream of short events is read to its end', { timeout: 30_000 }, async () => {
    const kit = createKit(memoryStore());
    const events: Answer = (response, id) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const note = {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data: piece },
      };
      for (let at = 0; at < 200; at++)
        response.write(`event: message\r\ndata: ${JSON.stringify(note)}\r\n\r\n`);
      const content = [{ type: 'text', text: 'done' }];
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content } })}\n\n`);
    };
    await answering(events, ({ url }) =>
      withServer({ name: 'odd', url }, async ({ tools }) => {
        const { thread } = await kit.thread({
          tools,
          script: [{ toolCalls: [{ name: 'mcp__odd__say' }] }, 'ok'],
        });
        await thread.send('Go');
        expect(await readResults(thread)).toEqual(['done']);
      }),
    );
    await kit.close();
  });
});
