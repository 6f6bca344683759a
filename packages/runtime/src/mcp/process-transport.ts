import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { endProcess, processIds, startedWith } from '@spec/hooks/node';
import { LineBuffer } from './line-buffer.ts';

export interface ProcessOptions {
  /** The program, looked up in PATH. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the few variables that every server gets: PATH, HOME, USER, LOGNAME, SHELL and TERM. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Gets what the server writes to stderr, as it comes. Default: nobody. */
  readonly onStderr?: (text: string) => void;
}

/** How long a server has to end by itself once its stdin is closed, and again once it was told to by SIGTERM. */
const GRACE_MS = 1_000;
/** Pipes that a process outside the group keeps open are not waited for longer than this. */
const PIPES_MS = 200;

type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * The way to an MCP server that is a process, over its stdin and stdout.
 *
 * P1 The server leads a process group of its own: what it started (`npx` starts a shell, which starts the server) ends with it.
 * P2 It is asked to end by closing its stdin, then by SIGTERM, then ended by SIGKILL.
 *    What left the group (`setsid`) is found by a mark in its environment, where there is a /proc, and killed.
 * P3 Nothing of the group is left when this process exits, nor when it is killed: a watcher outlives it by the grace and ends the group.
 *
 * Where there are no process groups (Windows) the SDK's own transport takes its place.
 */
export function processTransport(options: ProcessOptions): Transport {
  if (process.platform !== 'win32') return new GroupTransport(options);
  const { command, args = [], env = {}, cwd, onStderr } = options;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...env },
    stderr: onStderr === undefined ? 'ignore' : 'pipe',
    ...(cwd === undefined ? {} : { cwd }),
  });
  transport.stderr?.on('data', (chunk: Uint8Array) => onStderr?.(String(chunk)));
  return transport;
}

class GroupTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #options: ProcessOptions;
  readonly #lines = new LineBuffer();
  #server: ServerProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  readonly #mark = crypto.randomUUID();

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { command, args = [], env, cwd, onStderr } = this.#options;
    const server: ServerProcess = spawn(command, [...args], {
      detached: true, // P1
      stdio: 'pipe',
      env: { ...getDefaultEnvironment(), ...env, ...marked(this.#mark) },
      ...(cwd === undefined ? {} : { cwd }),
    });
    server.stdin.on('error', (error) => this.onerror?.(error));
    server.stdout.on('data', (chunk: Uint8Array) => this.#read(server, chunk));
    server.stderr.on('data', (chunk: Uint8Array) => onStderr?.(String(chunk)));
    await new Promise<void>((resolve, reject) => server.once('spawn', resolve).once('error', reject));
    this.#server = server;
    this.#ended = this.#untilEnded(server);
  }

  /** What a message tells is the client's business; a line that is none is passed over. */
  #read(server: ServerProcess, chunk: Uint8Array): void {
    for (const line of this.#splitLines(server, chunk)) {
      try {
        this.onmessage?.(deserializeMessage(line));
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }

  #splitLines(server: ServerProcess, chunk: Uint8Array): readonly string[] {
    try {
      return this.#lines.append(chunk);
    } catch (error) {
      this.onerror?.(error as Error);
      killGroup(server, 'SIGKILL');
      return [];
    }
  }

  async #untilEnded(server: ServerProcess): Promise<void> {
    const watcher = watch(server);
    const endAll = (): void => {
      watcher.kill('SIGKILL');
      killGroup(server, 'SIGKILL');
      endLeftovers(this.#mark);
    };
    const forget = atExit(endAll);
    const closed = new Promise((resolve) => server.once('close', resolve));
    await new Promise((resolve) => server.once('exit', resolve));
    forget();
    endAll();
    const pipes = setTimeout(() => {
      for (const stream of [server.stdin, server.stdout, server.stderr]) stream.destroy();
    }, PIPES_MS);
    await closed;
    clearTimeout(pipes);
    this.#server = undefined;
    this.#lines.clear();
    this.onclose?.();
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    server.stdin.end();
    const steps = [
      setTimeout(() => killGroup(server, 'SIGTERM'), GRACE_MS),
      setTimeout(() => killGroup(server, 'SIGKILL'), 2 * GRACE_MS),
    ];
    await this.#ended;
    for (const step of steps) clearTimeout(step);
  }

  async send(message: Parameters<Transport['send']>[0]): Promise<void> {
    const stdin = this.#server?.stdin;
    if (stdin?.writable !== true) throw new Error('The server is not running.');
    if (stdin.write(serializeMessage(message))) return;
    await new Promise((resolve) => stdin.once('drain', resolve).once('close', resolve));
  }
}

const endings = new Set<() => void>();

/** Calls something when this process exits, unless it is forgotten before: one listener, however many servers there are. */
function atExit(end: () => void): () => void {
  if (endings.size === 0) process.once('exit', endEverything);
  endings.add(end);
  return () => {
    endings.delete(end);
    if (endings.size === 0) process.off('exit', endEverything);
  };
}

function endEverything(): void {
  for (const end of endings) end();
}

/** A shell that waits for the end of this process, gives the server the grace to notice it, and ends the group (P3). */
function watch({ pid }: ServerProcess): ChildProcess {
  const script = `read -r _; sleep ${GRACE_MS / 1000}; kill -s KILL -- "-$0"`;
  const watcher = spawn('/bin/sh', ['-c', script, String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => {}); // Without a shell there is no watcher.
  watcher.unref();
  return watcher;
}

function killGroup({ pid }: ServerProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nobody is left in it.
  }
}

/** The variable by which what a server started is known, wherever it went: children inherit it. */
const MARK = 'SPEC_MCP_SERVER';

/** So often it is looked again where something was found: what forks while it is ended has children by then. */
const ROUNDS = 20;

/** What a server is started with, so that {@link endLeftovers} finds what it starts. */
function marked(mark: string): Record<string, string> {
  return { [MARK]: mark };
}

/** Ends all processes that a server started outside of its group (`setsid`). Finds nothing where there is no /proc. */
function endLeftovers(mark: string): void {
  for (let round = 0; round < ROUNDS; round++) {
    const found = processIds().filter((id) => startedWith(id).includes(`${MARK}=${mark}\0`));
    if (found.length === 0) return;
    for (const id of found) endProcess(id);
  }
}
