import { type AgentProfile, allAgents } from '@spec/agents';
import { trustStore } from '@spec/commands/trust';
import { type AnyHook, defineHook, type RunRecord } from '@spec/hooks';
import type { HookScope } from '../agent-state/places.ts';

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
      match: { tools: 'Bash', commands: [...listNames(guarded).map(quote), RULING] },
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
  const files = allAgents.map(({ files: { user, project } }) => (scope === 'user' ? `~/${user}` : project));
  return [...(scope === 'user' ? ofPerson : ['.spec-hooks/**']), ...files, trustStore().path ?? ''].filter(
    Boolean,
  );
}

/** What a shell command that changes them has to name, unless it hides it. */
function listNames({ agent: { files }, scope }: Guarded): readonly string[] {
  return scope === 'user' ? [files.user] : ['.spec-hooks', files.project];
}

function quote(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
