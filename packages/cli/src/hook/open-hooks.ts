import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Agent, type AgentHost, type AgentProfile, createAgentHost, findAgent } from '@spec/agents';
import { trustStore } from '@spec/commands/trust';
import { type AnyHook, type MatchEnvironment, type RunRecord, scopeOf } from '@spec/hooks';
import { realPaths } from '@spec/hooks/node';
import type { HookScope } from '../agent-state/places.ts';
import { callsLauncher } from '../project/agent-entries.ts';
import { findConfig } from '../project/config.ts';
import { loadAll, type Project, trustFile } from '../project/load-project.ts';
import { configuredParts, type Parts } from '../project/parts.ts';
import { stampFile } from '../trust/code.ts';
import { findLostCode, type LostCode } from '../trust/lost-code.ts';
import {
  type CodeRefusal,
  findProjectCode,
  listParts,
  lookAtConfiguration,
  lookAtParts,
  openTrustedProject,
  type ProjectCode,
  type TrustedProject,
  writeTrust,
} from '../trust/project-code.ts';
import { acceptedFile, readAccepted } from './accepted.ts';
import type { HookFolder } from './called.ts';
import { guardOwnFiles, hasAnythingToSay } from './own-files.ts';

/** The folder whose hooks run, and for whom. */
export interface HookPlace extends HookFolder {
  /** Its own settings files are left to it. */
  readonly agent: AgentProfile;
  /** Ids of hooks that it may run in part, or never, in the place of those that are kept. */
  readonly accepted?: readonly string[];
}

/** A folder whose hooks may run for nobody in particular. */
type AnyPlace = HookFolder & Partial<HookPlace>;

/** What hooks were loaded from. When it is no longer as it was then, they have to be loaded anew. */
export interface LoadedFrom {
  /** What is kept of the code in the trust of a project. */
  readonly looked: string;
  /** The files and folders that the configuration names, absolute. */
  readonly parts: readonly string[];
  /** Other files that were read, each with its stamp. */
  readonly stamps: Readonly<Record<string, string>>;
}

/** Hooks that run, or why they do not. */
export type OpenHooks<Host = AgentHost> =
  | { readonly host: Host; readonly from: LoadedFrom; close(): Promise<void> }
  | UntrustedCode;

/** The hooks of a folder, for a host of any kind. */
export interface FoundHooks {
  readonly hooks: readonly AnyHook[];
  readonly policies: readonly AnyHook[];
  /** The ids of those that the agent may run in part. */
  readonly allowPartial: readonly string[];
  /** Globs start at the folder. */
  readonly environment: MatchEnvironment;
}

/** Code of a project that must not run. */
export type UntrustedCode =
  | LostCode
  | {
      readonly refusal: CodeRefusal;
      /** What a person can trust, relative to the project. */
      readonly subject: string;
    };

/** Opens the hooks of a folder for an agent that starts a command for each event, as {@link openHooksWith} does. */
export function openHooks(
  place: HookPlace & { readonly agent: Agent },
  onRun: (run: RunRecord) => void = () => {},
): Promise<OpenHooks> {
  const { agent } = place;
  const note = (run: RunRecord): void => {
    if (hasAnythingToSay(run)) onRun(run);
  };
  const isInstalled = (name: string): boolean => callsLauncher(findAgentFile(place, name), name);
  return openHooksWith(place, (found) => createAgentHost({ agent, onRun: note, isInstalled, ...found }));
}

/**
 * Opens the hooks of a folder; those of a project only if a person has trusted its code as it is.
 *
 * @throws {DefinitionError} as the hooks are refused where they are loaded, or by the agent
 */
export async function openHooksWith<Host>(
  place: HookPlace,
  makeHost: (found: FoundHooks) => Host,
): Promise<OpenHooks<Host>> {
  const opened = await openCode(place);
  if ('refusal' in opened) return opened;
  const { trusted, parts, project } = opened;
  const from: LoadedFrom = {
    looked: trusted.looked,
    parts: listParts(parts),
    stamps: stampAll([
      acceptedFile(settingsFolder(place.scope, place.root)),
      ...listSettings(trusted, parts),
    ]),
  };
  return { host: makeHost(findAccepted(place, project)), from, close: () => project.close() };
}

function findAccepted(place: HookPlace, { hooks, policies }: Project): FoundHooks {
  const { agent, scope, root } = place;
  const all = [...hooks, ...policies];
  const accepted = place.accepted ?? readAccepted(settingsFolder(scope, root), agent.name);
  const ids = new Set(all.map(({ id }) => id));
  const allowPartial = accepted.filter((id) => ids.has(id));
  const { before_tool_call: guards } = scopeOf(all.map((hook) => ({ hook, source: agent.name })));
  const own = guards === undefined ? [] : guardOwnFiles({ agent, scope });
  return { hooks, policies: [...own, ...policies], allowPartial, environment: realPaths(root) };
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
export async function openFolder(folder: AnyPlace): Promise<Project | UntrustedCode> {
  // A person without hooks of their own has no such folder yet.
  if (folder.scope === 'user') mkdirSync(folder.root, { recursive: true, mode: 0o700 });
  process.chdir(folder.root);
  const opened = await openCode(folder);
  return 'refusal' in opened ? opened : opened.project;
}

/** Where the launcher stands, and what is kept of an installation. */
export function settingsFolder(scope: HookScope, root: string): string {
  return scope === 'user' ? root : join(root, '.spec-hooks');
}

/** The code of a folder with hooks; where it has none yet, where it would be. */
export function findCode({ root }: Pick<HookPlace, 'root'>): ProjectCode {
  return findProjectCode(root) ?? { subject: join(root, 'hooks'), folder: root };
}

/** Code that is a person's own needs no trust, and neither does none. */
export function needsTrust({ scope }: Pick<HookPlace, 'scope'>, { subject }: ProjectCode): boolean {
  return scope === 'project' && existsSync(subject);
}

/** Code of a project that a person trusted, and that is not found any more. */
export async function findLost({ scope, root }: HookFolder): Promise<LostCode | undefined> {
  return scope === 'project' ? findLostCode(root, findProjectCode(root), trustStore()) : undefined;
}

/** What a folder's hooks were loaded from, and what was loaded. */
interface OpenCode {
  readonly code: ProjectCode;
  readonly trusted: TrustedProject;
  readonly parts: Parts;
  readonly project: Project;
}

async function openCode(folder: AnyPlace): Promise<OpenCode | UntrustedCode> {
  const lost = await findLost(folder);
  if (lost !== undefined) return lost;
  const code = findCode(folder);
  const trusted = await lookAtCode(folder, code);
  if (typeof trusted === 'string') return { refusal: trusted, subject: relative(folder.root, code.subject) };
  const parts = leaveOutOwn(folder, trusted.parts);
  const project = await loadAll(parts, { found: trusted.found, flags: {}, onProblem: 'throw', problems: [] });
  return { code, trusted, parts, project };
}

async function lookAtCode(
  place: Pick<HookFolder, 'scope' | 'root'>,
  code: ProjectCode,
): Promise<TrustedProject | CodeRefusal> {
  if (needsTrust(place, code)) return openTrustedProject(code, trustStore());
  const configuration = lookAtConfiguration(code);
  const found = await findConfig(place.root);
  const parts = configuredParts(found);
  return { found, parts, looked: writeTrust(configuration, lookAtParts(parts)) };
}

/** Settings files of the agent are run by the agent itself, and the entries that call us stand in them. */
function leaveOutOwn({ agent, root }: AnyPlace, parts: Parts): Parts {
  if (agent === undefined) return parts;
  const own = resolve(root, dirname(agent.files.project));
  return { ...parts, settings: parts.settings.filter((one) => dirname(findFile(one)) !== own) };
}

function listSettings({ found }: TrustedProject, { settings }: Parts): string[] {
  if (settings.length === 0) return [];
  return [trustStore(trustFile(found)).path ?? '', ...settings.map(findFile)];
}

function findFile(source: Parts['settings'][number]): string {
  const file = typeof source === 'string' ? source : source.file;
  return file instanceof URL ? fileURLToPath(file) : resolve(file);
}

function stampAll(files: readonly string[]): LoadedFrom['stamps'] {
  return Object.fromEntries(files.map((file) => [file, stampFile(file)]));
}
