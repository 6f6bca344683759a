import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inFolder } from '../scratch.ts';

/** The command as it is built. */
export const main: string = fileURLToPath(new URL('main.mjs', import.meta.resolve('@spec/cli')));

/** A project whose hooks run in Codex, with a home of its own. */
export interface AgentProject {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
  /** Tells of a call as Codex does, through the launcher. */
  tell(): Promise<void>;
  /** The process that answers once it is warm. */
  readonly daemon: number;
}

const guard = `import { defineHook } from '@spec/hooks';
export default defineHook({ hook: 'before_tool_call', id: 'guard', match: 'Bash', execute: async () => null });
`;

const payload = { session_id: 's1', tool_name: 'Bash', tool_input: { command: 'git status --short' } };

/** Runs work in a project with one guard whose daemon is warm; the daemon is ended afterwards. */
export async function inWarmProject<T>(work: (project: AgentProject) => Promise<T>): Promise<T> {
  return inFolder(async (path) => {
    const env = { ...process.env, HOME: join(path, 'home'), XDG_STATE_HOME: '', XDG_CONFIG_HOME: '' };
    mkdirSync(join(path, 'hooks'));
    writeFileSync(join(path, 'hooks.config.mjs'), `export default { policies: 'hooks' };\n`);
    writeFileSync(join(path, 'hooks/guard.mjs'), guard);
    for (const args of [
      ['trust', 'hooks.config.mjs', '--yes'],
      ['install', 'codex', '--yes'],
    ])
      await promisify(execFile)(process.execPath, [main, ...args], { cwd: path, env });
    const tell = (): Promise<void> =>
      runToEnd([join(path, '.spec-hooks/hook'), 'codex', 'PreToolUse', 'DENIED'], { cwd: path, env });
    const socket = /^SOCKET='(.*)'$/m.exec(readFileSync(join(path, '.spec-hooks/local'), 'utf8'))?.[1] ?? '';
    await tell();
    while (!existsSync(socket)) await wait(50);
    for (let event = 0; event < 20; event++) await tell();
    const daemon = findDaemon(socket);
    try {
      return await work({ path, env, tell, daemon });
    } finally {
      process.kill(daemon, 'SIGTERM');
    }
  });
}

function findDaemon(socket: string): number {
  const found = readdirSync('/proc')
    .map(Number)
    .find((pid) => pid > 0 && isServing(pid, socket));
  if (found === undefined) throw new Error('the daemon does not run');
  return found;
}

function isServing(pid: number, socket: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(socket);
  } catch {
    return false; // It has ended meanwhile.
  }
}

/** Runs a program to its end, with a tool call on its standard input. */
export async function runToEnd(
  [command = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {}); // A program that reads nothing.
  child.stdin.end(JSON.stringify({ ...payload, cwd: options.cwd }));
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0 || said !== '') throw new Error(`${command} ended with ${String(code)} and said ${said}`);
}
