// Agent state: what is kept of coding agents outside of projects. The answers to their events write it, and the commands that show it read it; it runs no hook.

import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import type { AgentProfile } from '@spec/agents';

/** Whose hooks an agent runs: those of a project, or a person's own. */
export type HookScope = 'project' | 'user';

/** The folder with a person's own hooks, which run in every project. */
export function ownFolder(): string {
  return join(baseFolder('XDG_CONFIG_HOME', '.config'), 'spec-hooks');
}

/** Where is kept what agents have told of a folder with hooks. @param root absolute */
export function stateFolder(root: string): string {
  const key = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(stateHome(), 'agents', key);
}

/** The folder with what is kept for this person, outside of projects. */
export function stateHome(): string {
  return join(baseFolder('XDG_STATE_HOME', '.local/state'), 'spec-hooks');
}

/** The longest path of a socket that every system takes, less what a draft of it has beside its name, in bytes. */
const LONGEST_SOCKET = 90;

/** Where the daemon of a folder with hooks listens; `undefined` where there are no such sockets. @param root absolute */
export function findSocketPath(root: string): string | undefined {
  const state = stateFolder(root);
  const usual = join(state, 'socket');
  if (process.getuid === undefined) return undefined;
  return Buffer.byteLength(usual) <= LONGEST_SOCKET
    ? usual
    : `/tmp/spec-hooks-${process.getuid()}/${basename(state)}`;
}

/** Where a file of an agent stands for this person. @param file as `files.user` and its like name it */
export function findOwnFile({ files: { homeVariable } }: AgentProfile, file: string): string {
  const given = homeVariable === undefined ? undefined : process.env[homeVariable];
  if (given === undefined || !isAbsolute(given)) return join(homedir(), file);
  return join(given, ...file.split('/').slice(1));
}

/** A folder of this person. A relative one would be one of the project: it does not count. @param usual below the home folder */
export function baseFolder(variable: string, usual: string): string {
  const { [variable]: given = '' } = process.env;
  return isAbsolute(given) ? given : join(homedir(), usual);
}
