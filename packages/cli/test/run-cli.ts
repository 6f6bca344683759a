import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHosted } from './cli-host.ts';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const main = join(import.meta.dirname, '../dist/main.mjs');

/** Translated modules of tests have no place in a developer's cache; this folder is removed with all that tests leave. */
const cache = join(tmpdir(), 'spec-hooks-cache');

interface CliOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
}

/** Runs `spec-hooks`, as it is built; in a process that runs others after it. */
export function runCli(
  args: readonly string[],
  { input = '', env = {}, cwd }: CliOptions = {},
): Promise<CliResult> {
  return runHosted({ args, cwd, env: { ...cliEnv(), ...env }, input });
}

/** Runs `spec-hooks`, as it is built, as a process of its own: where a test is about the process, or hooks end it. */
export function runCliApart(
  args: readonly string[],
  { input = '', env = {}, cwd }: CliOptions = {},
): Promise<CliResult> {
  const child = startCli(args, { env, cwd });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return waitForResult(child);
}

export function startCli(
  args: readonly string[],
  { env = {}, cwd }: { env?: NodeJS.ProcessEnv; cwd?: string | undefined } = {},
): ReturnType<typeof spawn> & {
  stdin: NonNullable<ReturnType<typeof spawn>['stdin']>;
} {
  return spawn(process.execPath, [...nodeArgs, ...args], { cwd, env: { ...cliEnv(), ...env } }) as never;
}

/** What Node is started with, before the arguments of the command. */
export const nodeArgs: readonly string[] = [main];

/** The environment of a command without colours. */
export function cliEnv(): NodeJS.ProcessEnv {
  const { OPENAI_API_KEY: _, XDG_CONFIG_HOME: __, ...inherited } = process.env;
  return { ...inherited, NO_COLOR: '1', XDG_CACHE_HOME: cache };
}

export function waitForResult(child: ReturnType<typeof spawn>): Promise<CliResult> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}
