import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type AgentProfile, allAgents } from '@spec/agents';
import { findOwnFile, type HookScope, ownFolder } from '../agent-state/places.ts';
import { findProjectFolder } from '../project/config.ts';
import { readFileText } from '../read-text.ts';
import { findForm } from './form.ts';

/** Where an agent's hooks are installed, or would be. */
export interface Installation {
  readonly agent: AgentProfile;
  readonly scope: HookScope;
  /** The folder whose hooks run, absolute. */
  readonly root: string;
  /** Where the launcher stands. */
  readonly folder: string;
  /** The agent's configuration. */
  readonly file: string;
}

/** Finds where the hooks of the project here, or of this person, stand in an agent. */
export function findInstallation(agent: AgentProfile, scope: HookScope): Installation {
  if (scope === 'user') {
    const root = ownFolder();
    return { agent, scope, root, folder: root, file: findOwnFile(agent, agent.files.user) };
  }
  const root = findProjectFolder();
  return { agent, scope, root, folder: join(root, '.spec-hooks'), file: join(root, agent.files.project) };
}

/** All places in which hooks are installed here, and those of this person. */
export function listInstallations(): readonly Installation[] {
  const all = allAgents.flatMap((agent) =>
    (['project', 'user'] as const).map((scope) => findInstallation(agent, scope)),
  );
  return all.filter(hasEntries);
}

/** Whether an agent's configuration has an entry of ours. */
export function hasEntries(place: Installation): boolean {
  const { file } = place;
  if (!existsSync(file)) return false;
  try {
    return findForm(place).isIn(readFileText(file, ''));
  } catch {
    return false;
  }
}

/** A path as a person calls it. */
export function nameFile(path: string): string {
  const near = relative(process.cwd(), resolve(path));
  if (near !== '' && !near.startsWith('..')) return near;
  const inHome = relative(homedir(), path);
  return inHome.startsWith('..') ? path : `~/${inHome}`;
}
