import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Thread } from '@spec/runtime';
import { streamTurn, uiMessageStreamResponse, userInputOf } from '@spec/runtime/ui-stream';

/** Serves one thread as a chat route; a server of your own would find the thread by the request, and check whose it is. */
export async function serve(thread: Thread): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => void answer(thread, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/api/chat`, server };
}

async function answer(thread: Thread, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const input = await json(request)
    .then(userInputOf)
    .catch(() => undefined);
  if (input === undefined) {
    response.writeHead(400).end('A chat request with a text is needed.');
    return;
  }
  const turn = streamTurn(thread, input, { whenClientLeaves: 'stop' });
  const { status, headers, body } = uiMessageStreamResponse(turn);
  response.writeHead(status, Object.fromEntries(headers));
  await pipeline(Readable.fromWeb(body as never), response).catch(() => {}); // The client went away.
}
