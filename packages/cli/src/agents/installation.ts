import { existsSync, lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type AgentProfile, allAgents } from '@spec/agents';
import { DefinitionError } from '@spec/hooks';
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

/** What stands beside the launcher, with it. */
export const launcherFiles = ['hook', 'hook.ps1', 'local', 'partial.json', '.gitignore'] as const;

/**
 * Sees to it that what is written for a project is written there: a project could come with a link that leads to a file of yours.
 *
 * @throws {DefinitionError} `bad_option`
 */
export function checkPlace({ scope, root, folder, file }: Installation): void {
  if (scope === 'user') return;
  const written = [dirname(file), ...launcherFiles.map((name) => join(folder, name))];
  for (const path of written.flatMap((one) => listSteps(root, one)))
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new DefinitionError(
        'bad_option',
        `Nothing is changed: ${path} is a link, and would lead to another place. Remove it first.`,
      );
}

/** The path and all folders above it, up to the project. */
function listSteps(root: string, path: string): string[] {
  const names = relative(root, path).split(sep).filter(Boolean);
  return names.map((_, at) => join(root, ...names.slice(0, at + 1)));
}
