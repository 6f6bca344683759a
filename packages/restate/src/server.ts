import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { DefinitionError } from '@spec/hooks';

type OnRequest = NonNullable<Parameters<typeof createServer>[1]>;

interface ServerOptions {
  readonly port: number;
  readonly host: string;
  readonly graceMs: number;
}

/** Serves HTTP/2 until it is closed. @throws {DefinitionError} `bad_option` where the port cannot be served */
export async function openServer(
  onRequest: OnRequest,
  { port, host, graceMs }: ServerOptions,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(onRequest);
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session)).on('error', () => {});
  });
  await listen(server, port, host);
  let closing: Promise<void> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      closing ??= endSessions(server, sessions, graceMs);
      return closing;
    },
  };
}

function listen(server: Http2Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new DefinitionError(
          'bad_option',
          `restateWorker: port ${port} of ${host} cannot be served (${code}).`,
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
}

/** Tells each session that no more may come, and ends those whose streams do not end in time. */
async function endSessions(
  server: Http2Server,
  sessions: ReadonlySet<ServerHttp2Session>,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const session of sessions) session.close();
  const patience = new AbortController();
  const ending = wait(graceMs, undefined, { signal: patience.signal }).then(
    () => {
      for (const session of sessions) session.destroy();
    },
    () => {},
  );
  await closed;
  patience.abort();
  await ending;
}
