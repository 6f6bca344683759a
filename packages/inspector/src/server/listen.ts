import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DefinitionError } from '@spec/hooks';
import { judgeRequest } from '../walls/judge-request.ts';
import { responseHeaders } from '../walls/response-headers.ts';
import { loadListener } from './load-app.ts';

/** The only address that is bound. */
const address = '127.0.0.1';

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Ends open connections, too. */
  close(): Promise<void>;
}

type Answer = Parameters<typeof loadListener>[0];

/**
 * Listens on the loopback address, behind the walls.
 * @param port 0: any that is free
 * @throws DefinitionError `bad_option` where the port is taken
 */
export async function listenBehindWalls(answer: Answer, port: number): Promise<Listening> {
  const server = createWalledServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, address, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${error.code ?? 'unknown'})`;
    throw new DefinitionError('bad_option', `Port ${port} ${why}: name another one with --port.`);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createWalledServer(answer: Answer): Server {
  const listener = loadListener(answer);
  return createServer((request, response) => {
    for (const [name, value] of Object.entries(responseHeaders)) response.setHeader(name, value);
    const refusal = judgeRequest(request);
    if (refusal === undefined) {
      listener(request, response);
      return;
    }
    if (refusal === 405) response.setHeader('allow', 'GET, POST');
    response.writeHead(refusal, { 'content-length': 0 }).end();
  });
}
