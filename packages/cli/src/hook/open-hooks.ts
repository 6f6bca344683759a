import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Agent, type AgentHost, createAgentHost } from '@spec/agents';
import { trustStore } from '@spec/commands/trust';
import type { RunRecord } from '@spec/hooks';
import type { HookScope } from '../agent-state/places.ts';
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
export interface HookPlace {
  readonly agent: Agent;
  readonly scope: HookScope;
  /** Absolute: the project, or the folder with a person's own hooks. */
  readonly root: string;
}

/** Hooks that run, or why they do not. */
export type OpenHooks = { readonly host: AgentHost; close(): Promise<void> } | UntrustedCode;

/** Code of a project that must not run. */
export interface UntrustedCode {
  readonly refusal: CodeRefusal;
  /** What a person can trust, relative to the project. */
  readonly subject: string;
}

/**
 * Opens the hooks of a folder for an agent; those of a project only if a person has trusted its code as it is. The working folder becomes that
 * folder.
 *
 * @throws {DefinitionError} as the hooks are refused where they are loaded, or by the agent
 */
export async function openHooks(
  { agent, scope, root }: HookPlace,
  onRun: (run: RunRecord) => void = () => {},
): Promise<OpenHooks> {
  process.chdir(root);
  const opened =
    scope === 'user' ? await openOwn({ agent, scope, root }) : await openProject({ agent, scope, root });
  if ('refusal' in opened) return opened;
  const { hooks, policies } = opened;
  const allowPartial = readAccepted(settingsFolder(scope, root), agent.name);
  const ids = new Set([...hooks, ...policies].map(({ id }) => id));
  const host = createAgentHost({
    ...{ agent, hooks, policies, onRun },
    allowPartial: allowPartial.filter((id) => ids.has(id)),
  });
  return { host, close: () => opened.close() };
}

/** Where the launcher stands, and what is kept of an installation. */
export function settingsFolder(scope: HookScope, root: string): string {
  return scope === 'user' ? root : join(root, '.spec-hooks');
}

async function openOwn(place: HookPlace): Promise<Project> {
  const found = await findConfig(place.root);
  return load(place, { found, parts: configuredParts(found) });
}

async function openProject(place: HookPlace): Promise<Project | UntrustedCode> {
  const code = findProjectCode(place.root);
  if (code === undefined) return openOwn(place);
  const trusted = await openTrustedProject(code, trustStore());
  if (typeof trusted !== 'string') return load(place, trusted);
  return { refusal: trusted, subject: relative(place.root, code.subject) };
}

/** Settings files of the agent are run by the agent itself, and the entries that call us stand in them. */
function load({ agent, root }: HookPlace, { found, parts }: TrustedProject): Promise<Project> {
  const own = resolve(root, dirname(agent.files.project));
  const settings = parts.settings.filter((one) => dirname(findFile(one)) !== own);
  return loadAll({ ...parts, settings }, { found, flags: {}, onProblem: 'throw', problems: [] });
}

function findFile(source: Parts['settings'][number]): string {
  const file = typeof source === 'string' ? source : source.file;
  return file instanceof URL ? fileURLToPath(file) : resolve(file);
}
