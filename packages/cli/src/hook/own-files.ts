import { homedir } from 'node:os';
import { relative } from 'node:path';
import { type AgentProfile, allAgents } from '@spec/agents';
import { trustStore } from '@spec/commands/trust';
import { type AnyHook, defineHook, type RunRecord } from '@spec/hooks';
import { findOwnFile, type HookScope, stateHome } from '../agent-state/places.ts';
import { cacheFolder } from '../project/cache-folder.ts';

/** Whose files are guarded. */
interface Guarded {
  readonly agent: AgentProfile;
  readonly scope: HookScope;
}

/** Tools that look and change nothing, as Claude Code calls them. */
const looking: readonly string[] = ['Read', 'Grep', 'Glob', 'LS', 'NotebookRead'];

/** What stands beside the hooks of a person, whose own code lies in the same folder. */
const ofPerson = ['hook', 'hook.ps1', 'local', 'partial.json'];

const reason =
  'It changes what starts the hooks that guard this session, or what of them is trusted. A person has to look at it first.';

/**
 * Guards that keep an agent from switching off what judges it: a person is asked before a tool changes the launcher, what is kept beside
 * it or the configuration of an agent, and before a shell command names them or has `spec-hooks` trust or take out hooks.
 * Globs start at the folder of the hooks.
 */
export function guardOwnFiles(guarded: Guarded): readonly AnyHook[] {
  return [
    defineHook({
      hook: 'before_tool_call',
      id: 'spec_hooks_own_files',
      match: { paths: listOwnGlobs(guarded) },
      execute: async (_state, call) =>
        looking.includes(call.function.name) ? null : { decision: 'ask', reason },
    }),
    defineHook({
      hook: 'before_tool_call',
      id: 'spec_hooks_own_commands',
      // A patch is a command, too, and its text may name anything: the files that it changes are judged by their paths.
      match: { tools: '/^(?!apply_patch$)/', commands: [...listNames(guarded).map(quote), RULING] },
      execute: async () => ({ decision: 'ask', reason }),
    }),
  ];
}

/** Nobody asked for these guards: of calls that they let pass the ledger tells nothing. */
export function hasAnythingToSay({ id, outcome }: RunRecord): boolean {
  return !id.startsWith('spec_hooks_own_') || (outcome !== 'ok' && outcome !== 'skipped');
}

/** `spec-hooks` as a word, and behind it, in the same command, a command that changes what runs. */
const RULING = /\bspec-hooks['"]?\s[^;&|\n]*\b(?:trust|install|uninstall)\b/.source;

function listOwnGlobs({ scope }: Guarded): readonly string[] {
  const ofHooks = scope === 'user' ? ofPerson : ['.spec-hooks/**', ...allAgents.flatMap(listProjectFiles)];
  const folders = [stateHome(), cacheFolder()].map((folder) => `${escapeGlob(folder)}/**`);
  return [...ofHooks, ...folders, ...listPersonFiles().map(escapeGlob)];
}

function listProjectFiles({ files: { project, switches } }: AgentProfile): readonly string[] {
  return [project, ...(switches?.project ?? [])];
}

/** What the agents of a person read, and what is trusted, absolute. */
function listPersonFiles(): readonly string[] {
  const ofAgents = allAgents.flatMap((agent) =>
    [agent.files.user, ...(agent.files.switches?.user ?? [])].map((file) => findOwnFile(agent, file)),
  );
  return [...ofAgents, trustStore().path ?? ''].filter(Boolean);
}

/** What a shell command that changes them has to name, unless it hides it. */
function listNames({ agent, scope }: Guarded): readonly string[] {
  const files = scope === 'user' ? [agent.files.user] : ['.spec-hooks', ...listProjectFiles(agent)];
  const kept = [stateHome(), cacheFolder(), trustStore().path ?? ''].map(nameBelowHome);
  return [...files, ...kept].filter(Boolean);
}

/** As it stands behind `~/` and `$HOME/`, too. */
function nameBelowHome(path: string): string {
  const below = relative(homedir(), path);
  return below.startsWith('..') ? path : below;
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!]/g, '\\$&');
}

function quote(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
