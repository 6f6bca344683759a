// Daemon: answers the events of a folder's agents from a process that stays, so that nobody waits for Node; it runs code of a project in a thread, while a person trusts it.

import { watch } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import type { Output } from '@spec/agents';
import { DefinitionError, parseDuration } from '@spec/hooks';
import { type CalledEvent, findCalledEvent, findFolder, type HookFolder } from '../hook/called.ts';
import { readLocalFile } from '../hook/local-file.ts';
import { settingsFolder } from '../hook/open-hooks.ts';
import { readInput } from '../hook/read-input.ts';
import { stampFile } from '../trust/code.ts';
import { claimSocket, type HeldSocket } from './socket.ts';
import { openWarmHooks, type WarmHooks } from './warm-hooks.ts';

/** Whoever asks nothing for so long is gone. */
const QUIET = '10m';

/** Milliseconds between two looks at whether the socket still leads here. */
const LOOK = 60_000;

/** Answers events over a socket, until nobody asks any more. Resolves once it listens, or another daemon does. */
export async function serve(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      serve: { type: 'boolean' },
      root: { type: 'string' },
      socket: { type: 'string', default: '' },
      quiet: { type: 'string', default: QUIET },
    },
  });
  const folder = findFolder(values.root);
  process.chdir(folder.root);
  const hooks = openWarmHooks(folder);
  const server = createServer();
  const held = await claimSocket(server, values.socket);
  if (held === undefined) return hooks.close();
  const quiet = parseDuration(values.quiet) ?? 0;
  const life = watchLife({ server, held, hooks, folder, socket: values.socket, quiet });
  server.on('request', (request, response) => life.during(() => respond(request, response, hooks)));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, life.end);
}

async function respond(request: IncomingMessage, response: ServerResponse, hooks: WarmHooks): Promise<void> {
  response.on('error', () => {}); // The agent waits no longer.
  const { status, body } = await answer(request, hooks);
  response.writeHead(status, { connection: 'close', 'content-length': Buffer.byteLength(body) }).end(body);
}

interface Answered {
  readonly status: number;
  readonly body: string;
}

async function answer(request: IncomingMessage, hooks: WarmHooks): Promise<Answered> {
  let called: CalledEvent;
  try {
    const [, agent = '', event = ''] = (request.url ?? '').split('/').map(decodeURIComponent);
    called = findCalledEvent(agent, event);
  } catch (error) {
    return {
      status: 404,
      body: error instanceof DefinitionError ? error.message : 'There is no such event.',
    };
  }
  return describeOutput(await hooks.answer(called, readInput(request)));
}

/** What the launcher prints: where, and with which exit code, its status says. */
function describeOutput({ stdout, stderr, code }: Output): Answered {
  return { status: code === 2 ? 202 : 200, body: stderr === '' ? stdout : stderr };
}

interface Life {
  /** Stays alive for some work. */
  during(work: () => Promise<void>): void;
  end(): void;
}

interface Living {
  readonly server: Server;
  readonly held: HeldSocket;
  readonly hooks: WarmHooks;
  readonly folder: HookFolder;
  readonly socket: string;
  /** Milliseconds. */
  readonly quiet: number;
}

/**
 * Ends the daemon when nobody has asked for long, when its socket leads elsewhere, when the hooks are taken out of the last agent, or when
 * spec-hooks is another version. What it began, it answers.
 */
function watchLife({ server, held, hooks, folder, socket, quiet }: Living): Life {
  const [, program = ''] = process.argv;
  const stamp = stampFile(program);
  const installed = settingsFolder(folder.scope, folder.root);
  let working = 0;
  let isEnding = false;
  let last = Date.now();
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    clearInterval(timer);
    held.release();
    server.close(() => {
      hooks.close();
      process.exit(0);
    });
  };
  const isNeeded = (): boolean =>
    held.isHeld() && readLocalFile(installed)?.socket === socket && stampFile(program) === stamp;
  const look = (): void => {
    const isQuiet = working === 0 && Date.now() - last >= quiet;
    if (isQuiet || !isNeeded()) end();
  };
  const timer = setInterval(look, Math.min(LOOK, quiet));
  listenToFolder(installed, look);
  return {
    end,
    during(work) {
      working += 1;
      last = Date.now();
      void work().finally(() => {
        working -= 1;
        last = Date.now();
        if (stampFile(program) !== stamp) end();
      });
    },
  };
}

/** Where a folder cannot be listened to, a look each minute has to do. */
function listenToFolder(folder: string, listener: () => void): void {
  try {
    watch(folder, listener).on('error', listener);
  } catch {
    listener();
  }
}
