import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
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

/** A person writes less than this: bytes of a chat request. */
const MAX_BODY = 1_000_000;

async function answer(thread: Thread, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end('A chat request is posted.');
    return;
  }
  const body = await bodyOf(request).catch(() => ''); // The client went away.
  if (body === undefined) {
    response.writeHead(413, { connection: 'close' }).end('The request is too long.');
    return;
  }
  const input = inputOf(body);
  if (input === undefined) {
    response.writeHead(400).end('A chat request with a text is needed.');
    return;
  }
  await respond(response, streamTurn(thread, input, { whenClientLeaves: 'stop' }));
}

/** The whole body; nothing where it is too long: what comes then is not read. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    size += (piece as Buffer).length;
    if (size > MAX_BODY) return undefined;
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString();
}

function inputOf(body: string): ReturnType<typeof userInputOf> | undefined {
  try {
    return userInputOf(JSON.parse(body));
  } catch {
    return undefined;
  }
}

async function respond(response: ServerResponse, turn: ReturnType<typeof streamTurn>): Promise<void> {
  const { status, headers, body } = uiMessageStreamResponse(turn);
  response.writeHead(status, Object.fromEntries(headers));
  await pipeline(Readable.fromWeb(body as never), response).catch(() => {}); // The client went away.
}
