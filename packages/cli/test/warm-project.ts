import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { type ProjectFolder, projectFolder } from './project-folder.ts';
import { cliEnv } from './run-cli.ts';

/** A project whose hooks run in Codex and Claude Code, trusted, and its daemon. */
export interface WarmProject extends ProjectFolder {
  /** Where its daemon listens. */
  readonly socket: string;
  /** The processes that answer for it now. */
  daemons(): number[];
  /** Tells of an event as the agent does. */
  tell(told?: Told): Promise<AgentSaid>;
  /** Has an event answered, waits until its daemon listens, and gives its process. */
  warmUp(): Promise<number>;
}

export interface Told {
  readonly agent?: 'codex' | 'claude-code';
  readonly event?: string;
  readonly command?: string;
  readonly session?: string;
  /** In place of the whole message. */
  readonly input?: string;
}

export interface AgentSaid {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

const files = { codex: '.codex/hooks.json', 'claude-code': '.claude/settings.json' };

/** @param module of the project's hooks */
export async function warmProject(module: string): Promise<WarmProject> {
  const config = `export default { policies: 'hooks' };`;
  const folder = projectFolder({ 'hooks.config.mjs': config, 'hooks/guard.mjs': module });
  await folder.cli(['trust', 'hooks.config.mjs', '--yes']);
  for (const agent of Object.keys(files))
    expect((await folder.cli(['install', agent, '--yes', '--allow-partial', 'sees'])).stderr).toBe('');
  const socket = /^SOCKET='(.*)'$/m.exec(folder.read('.spec-hooks/local'))?.[1] ?? '';
  const tell = (told: Told = {}): Promise<AgentSaid> => runEntry(folder, told);
  const daemons = (): number[] => findProcesses(socket);
  return {
    ...{ ...folder, socket, daemons, tell },
    async warmUp() {
      await tell({ event: 'SessionStart', session: 'first' });
      await vi.waitUntil(() => existsSync(socket) && daemons().length === 1, 20_000);
      return daemons()[0] ?? 0;
    },
  };
}

function findProcesses(socket: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isServing(pid, socket));
}

function isServing(pid: number, socket: string): boolean {
  try {
    const words = readFileSync(join('/proc', String(pid), 'cmdline'), 'utf8').split('\0');
    return words.includes('--serve') && words.includes(socket);
  } catch {
    return false;
  }
}

function runEntry(folder: ProjectFolder, told: Told): Promise<AgentSaid> {
  const { agent = 'codex', event = 'PreToolUse', command = 'ls', session = 's1' } = told;
  const { hooks } = JSON.parse(folder.read(files[agent]));
  const payload = {
    ...{ session_id: session, cwd: folder.path, hook_event_name: event, prompt: 'Hello.' },
    ...{ tool_name: 'Bash', tool_input: { command } },
  };
  const env = {
    ...cliEnv(),
    HOME: join(folder.path, 'home'),
    CLAUDE_PROJECT_DIR: folder.path,
    XDG_STATE_HOME: '',
  };
  const child = spawn('/bin/sh', ['-c', hooks[event].at(-1).hooks[0].command], { cwd: folder.path, env });
  child.stdin.on('error', () => {});
  child.stdin.end(told.input ?? JSON.stringify(payload));
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (said.stdout += chunk));
  child.stderr.on('data', (chunk) => (said.stderr += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...said, code })));
}
