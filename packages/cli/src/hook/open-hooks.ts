import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Agent, type AgentHost, type AgentProfile, createAgentHost, findAgent } from '@spec/agents';
import { trustStore } from '@spec/commands/trust';
import type { AnyHook, RunRecord } from '@spec/hooks';
import type { HookScope } from '../agent-state/places.ts';
import { callsLauncher } from '../project/agent-entries.ts';
import { findConfig } from '../project/config.ts';
import { loadAll, type Project } from '../project/load-project.ts';
import { configuredParts, type Parts } from '../project/parts.ts';
import {
  type CodeRefusal,
  findProjectCode,
  openTrustedProject,
  type TrustedProject,
} from '../trust/project-code.ts';
import { readAccepted } from './accepted.ts';

/** The folder whose hooks run, and for whom. */
export interface HookPlace extends HookFolder {
  readonly agent: AgentProfile;
}

/** A folder with hooks. */
export interface HookFolder {
  /** Its own settings files are left to it. */
  readonly agent?: AgentProfile;
  readonly scope: HookScope;
  /** Absolute: the project, or the folder with a person's own hooks. */
  readonly root: string;
}

/** Hooks that run, or why they do not. */
export type OpenHooks<Host = AgentHost> = { readonly host: Host; close(): Promise<void> } | UntrustedCode;

/** The hooks of a folder, for a host of any kind. */
export interface FoundHooks {
  readonly hooks: readonly AnyHook[];
  readonly policies: readonly AnyHook[];
  /** The ids of those that the agent may run in part. */
  readonly allowPartial: readonly string[];
}

/** Code of a project that must not run. */
export interface UntrustedCode {
  readonly refusal: CodeRefusal;
  /** What a person can trust, relative to the project. */
  readonly subject: string;
}

/** Opens the hooks of a folder for an agent that starts a command for each event, as {@link openHooksWith} does. */
export function openHooks(
  place: HookPlace & { readonly agent: Agent },
  onRun: (run: RunRecord) => void = () => {},
): Promise<OpenHooks> {
  const { agent } = place;
  const isInstalled = (name: string): boolean => callsLauncher(findAgentFile(place, name), name);
  return openHooksWith(place, (found) => createAgentHost({ agent, onRun, isInstalled, ...found }));
}

/**
 * Opens the hooks of a folder; those of a project only if a person has trusted its code as it is. The working folder becomes that
 * folder.
 *
 * @throws {DefinitionError} as the hooks are refused where they are loaded, or by the agent
 */
export async function openHooksWith<Host>(
  { agent, scope, root }: HookPlace,
  makeHost: (found: FoundHooks) => Host,
): Promise<OpenHooks<Host>> {
  const opened = await openFolder({ agent, scope, root });
  if ('refusal' in opened) return opened;
  const { hooks, policies } = opened;
  const accepted = readAccepted(settingsFolder(scope, root), agent.name);
  const ids = new Set([...hooks, ...policies].map(({ id }) => id));
  const allowPartial = accepted.filter((id) => ids.has(id));
  return { host: makeHost({ hooks, policies, allowPartial }), close: () => opened.close() };
}

/** Only what is for the same hooks counts: no file of a project can silence those of a person. */
function findAgentFile({ scope, root }: HookPlace, name: string): string {
  const { files } = findAgent(name);
  return scope === 'user' ? join(homedir(), files.user) : join(root, files.project);
}

/**
 * Opens the hooks of a folder; those of a project only if a person has trusted its code as it is. The working folder becomes that folder.
 *
 * @throws {DefinitionError} as the hooks are refused where they are loaded
 */
export async function openFolder(folder: HookFolder): Promise<Project | UntrustedCode> {
  // A person without hooks of their own has no such folder yet.
  if (folder.scope === 'user') mkdirSync(folder.root, { recursive: true, mode: 0o700 });
  process.chdir(folder.root);
  return folder.scope === 'user' ? openOwn(folder) : openProject(folder);
}

/** Where the launcher stands, and what is kept of an installation. */
export function settingsFolder(scope: HookScope, root: string): string {
  return scope === 'user' ? root : join(root, '.spec-hooks');
}

async function openOwn(place: HookFolder): Promise<Project> {
  const found = await findConfig(place.root);
  return load(place, { found, parts: configuredParts(found) });
}

async function openProject(place: HookFolder): Promise<Project | UntrustedCode> {
  const code = findProjectCode(place.root);
  if (code === undefined) return openOwn(place);
  const trusted = await openTrustedProject(code, trustStore());
  if (typeof trusted !== 'string') return load(place, trusted);
  return { refusal: trusted, subject: relative(place.root, code.subject) };
}

/** Settings files of the agent are run by the agent itself, and the entries that call us stand in them. */
function load({ agent, root }: HookFolder, { found, parts }: TrustedProject): Promise<Project> {
  const own = agent === undefined ? undefined : resolve(root, dirname(agent.files.project));
  const settings = parts.settings.filter((one) => dirname(findFile(one)) !== own);
  return loadAll({ ...parts, settings }, { found, flags: {}, onProblem: 'throw', problems: [] });
}

function findFile(source: Parts['settings'][number]): string {
  const file = typeof source === 'string' ? source : source.file;
  return file instanceof URL ? fileURLToPath(file) : resolve(file);
}
