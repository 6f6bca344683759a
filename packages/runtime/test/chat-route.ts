import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface ChatRoute {
  readonly url: string;
  close(): Promise<void>;
}

/** A server on localhost that answers every posted JSON body with a web `Response`. */
export async function chatRoute(answer: (body: unknown) => Promise<Response> | Response): Promise<ChatRoute> {
  const server = createServer(async (request, response) => {
    const { status, headers, body } = await answer(await readBody(request));
    response.writeHead(status, Object.fromEntries(headers));
    await pipeline(Readable.fromWeb(body as never), response).catch(() => {}); // The client went away.
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/chat`, close: () => closed(server) };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });
}
