import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** A process of ours. */
export interface Service {
  readonly pid: number;
  /** Settles when the process is over. */
  readonly ended: Promise<void>;
  /** Ends it as it wants to be ended; after 10 s by SIGKILL. */
  stop(): Promise<void>;
  /** Sends a signal to it and nobody else. */
  kill(signal: NodeJS.Signals): void;
}

interface Program {
  /** Of the file with what it prints, and of the one with its pid. */
  readonly name: string;
  /** What belongs to it is below this folder. */
  readonly folder: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly endsBy: NodeJS.Signals;
  /** Whether the process with this pid takes calls now. */
  isReady(pid: number): Promise<boolean> | boolean;
}

const patienceMs = 60_000;

/**
 * Starts a program in a process group of its own, so that a Ctrl-C in the terminal does not reach it, and waits until it is ready. Its pid
 * stands in a file, for whoever starts next, see {@link endLeftovers}.
 *
 * @throws Error with the end of what it printed where it ends or is not ready in time
 */
export async function startService(program: Program): Promise<Service> {
  const { name, folder, file, args, env, user, isReady } = program;
  mkdirSync(folder, { recursive: true });
  const log = join(folder, `${name}.log`);
  const output = openSync(log, 'a');
  const options = { detached: true, stdio: ['ignore', output, output] as ['ignore', number, number] };
  const child = spawn(file, args, { ...options, cwd: folder, env: { ...process.env, ...env }, ...user });
  const service = makeService(child, program);
  writeFileSync(pidFile(folder, name), `${child.pid}`);
  let isOver = false;
  void service.ended.then(() => {
    isOver = true;
  });
  const deadline = performance.now() + patienceMs;
  for (;;) {
    if (isOver) throw new Error(`${name} ended: ${readEnd(log)}`);
    if (await isReady(service.pid)) return service;
    if (performance.now() > deadline) {
      service.kill('SIGKILL');
      throw new Error(`${name} is not ready after ${patienceMs / 1_000} s: ${readEnd(log)}`);
    }
    await wait(25);
  }
}

function makeService(child: ChildProcess, { endsBy, folder, name }: Program): Service {
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve()).once('error', () => resolve());
  }).then(() => rmSync(pidFile(folder, name), { force: true }));
  const { pid = 0 } = child;
  return {
    pid,
    ended,
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill(endsBy);
      const patience = new AbortController();
      const killing = wait(10_000, undefined, { signal: patience.signal }).then(
        () => child.kill('SIGKILL'),
        () => {},
      );
      await ended;
      patience.abort();
      await killing;
    },
  };
}

function readEnd(log: string): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
}

function pidFile(folder: string, name: string): string {
  return join(folder, `${name}.pid`);
}

/** Ends what a killed process had started in a folder. A pid that has another program by now is left alone. */
export async function endLeftovers(folder: string): Promise<void> {
  for (const file of existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []) {
    if (!file.endsWith('.pid') || file.endsWith('postmaster.pid')) continue;
    const pid = Number(readFileSync(join(folder, file), 'utf8'));
    while (isOurs(pid, folder)) {
      process.kill(pid, 'SIGKILL');
      await wait(25);
    }
    rmSync(join(folder, file), { force: true });
  }
}

/** Whether the command line of a process names the folder. */
function isOurs(pid: number, folder: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
  } catch {
    return false;
  }
}
