import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server answers to one request: the deltas of a chat completion, or how it fails. */
export interface ChatReply {
  readonly deltas?: ReadonlyArray<Record<string, unknown>>;
  readonly finish?: string;
  /** Answers with this status and body instead. */
  readonly failure?: { readonly status: number; readonly body: string };
  /** Cuts the connection after the deltas. */
  readonly cut?: boolean;
}

export interface ChatServer {
  readonly url: string;
  /** The bodies of the requests so far. */
  readonly requests: Array<Record<string, unknown>>;
  close(): Promise<void>;
}

/** A server on localhost that speaks the streaming chat completions of OpenAI, by a script. */
export async function chatServer(script: readonly ChatReply[]): Promise<ChatServer> {
  const requests: Array<Record<string, unknown>> = [];
  const replies = [...script];
  const server = createServer(async (request, response) => {
    requests.push(JSON.parse(await readBody(request)) as Record<string, unknown>);
    answer(response, replies.shift() ?? { failure: { status: 500, body: 'the script has ended' } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function answer(
  response: ServerResponse,
  { deltas = [], finish = 'stop', failure, cut = false }: ChatReply,
): void {
  if (failure !== undefined) {
    response.writeHead(failure.status, { 'content-type': 'application/json' }).end(failure.body);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const delta of deltas) response.write(event({ delta, finish_reason: null }));
  if (cut) {
    setTimeout(() => response.destroy(), 20);
    return;
  }
  response.write(event({ delta: {}, finish_reason: finish }));
  response.end('data: [DONE]\n\n');
}

function event(choice: Record<string, unknown>): string {
  const chunk = { id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'local' };
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`;
}
