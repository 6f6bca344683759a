import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { CliResult } from './run-cli.ts';

/** A command for the process that runs commands one after another. */
export interface HostedCommand {
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string;
}

const program = join(import.meta.dirname, 'cli-host.mjs');

let host: ChildProcess | undefined;
let queue: Promise<unknown> = Promise.resolve();

/** Runs a command in a process that outlives it. A hook that ends that process has ended the command too. */
export function runHosted(command: HostedCommand): Promise<CliResult> {
  const result = queue.then(() => ask(command));
  queue = result.catch(() => {});
  return result;
}

/** Milliseconds after which a command that does not end has to be run apart. */
const PATIENCE = 60_000;

function ask(command: HostedCommand): Promise<CliResult> {
  const child = host ?? startHost();
  host = child;
  return new Promise((resolve, reject) => {
    const onEnd = (): void => {
      clearTimeout(timer);
      reject(
        new Error(`spec-hooks ${command.args.join(' ')} ended its process, or does not end: run it apart.`),
      );
    };
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
    child.once('exit', onEnd).once('message', (result) => {
      clearTimeout(timer);
      child.removeListener('exit', onEnd);
      resolve(result as CliResult);
    });
    child.send(command);
  });
}

function startHost(): ChildProcess {
  const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
  child.once('exit', () => {
    if (host === child) host = undefined;
  });
  // It is not waited for: it ends with the process that started it.
  child.unref();
  child.channel?.unref();
  return child;
}
