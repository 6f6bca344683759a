import { Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Gateway } from '@spec/gateway';
import { listenForClients } from './serve-http.ts';

/** Standard input and output of this process. */
export interface Stdio {
  readonly transport: Transport;
  /** Settles when the client has closed standard input, or this process is told to end. */
  readonly ended: Promise<void>;
}

/** Takes standard output for the client alone: call it before anything else may print. */
export function openStdio(): () => Stdio {
  const { stdin, stdout } = process;
  const write = stdout.write.bind(stdout);
  return () => {
    const out = new Writable({
      write(chunk: Buffer, _, done) {
        if (write(chunk)) done();
        else stdout.once('drain', done);
      },
    });
    const ended = new Promise<void>((resolve) => {
      stdin.once('end', resolve).once('close', resolve);
      stdout.once('error', () => resolve());
      untilToldToEnd().then(resolve, resolve);
    });
    return { transport: new StdioServerTransport(stdin, out), ended };
  };
}

function untilToldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

/** Serves the client that has started this process, until it has gone. */
export async function serveStdio(gateway: Gateway, open: () => Stdio): Promise<void> {
  const { transport, ended } = open();
  const { closed } = await gateway.connect(transport);
  await Promise.race([closed, ended]);
}

/** Serves clients over streamable HTTP on this machine, until this process is told to end. */
export async function serveHttp(gateway: Gateway, port: number): Promise<void> {
  const { url, close } = await listenForClients(gateway, { port });
  process.stderr.write(`spec-hooks: clients of MCP find the servers at ${url}\n`);
  await untilToldToEnd();
  close();
}
