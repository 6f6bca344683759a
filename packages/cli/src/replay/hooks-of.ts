import * as builtins from '@spec/builtins';
import type { AnyHook } from '@spec/hooks';
import { loadHooks } from '@spec/hooks/node';
import { findConfig } from '../project/config.ts';
import type { Project, ProjectFlags } from '../project/load-project.ts';
import { countOf } from '../table.ts';

/** Which hooks a replay runs, as it was typed. */
export interface HookFlags extends Omit<ProjectFlags, 'hooks'> {
  /** A folder; `false` for `--no-hooks`. */
  readonly hooks?: string | boolean;
}

/** The hooks that a replay runs, all of them everywhere. */
export interface ReplayHooks {
  readonly hooks: readonly AnyHook[];
  /** Where they are from, for a person; `undefined`: they are those that this command has of its own. */
  readonly from: string | undefined;
  close(): Promise<void>;
}

/**
 * The hooks that the options name; `undefined` where they name none.
 *
 * @throws {DefinitionError} for what cannot be loaded
 */
export async function hooksOfFlags(flags: HookFlags): Promise<ReplayHooks | undefined> {
  const { hooks: dir, config } = flags;
  if (dir === false) return ownHooks([]);
  const folder = typeof dir === 'string' ? dir : undefined;
  if (folder === undefined && config === undefined) return undefined;
  // A folder anywhere may import the built-in hooks, whether or not they are installed there.
  const modules = { '@spec/builtins': builtins };
  const ofFolder = folder === undefined ? [] : await loadHooks(folder, { modules });
  const ofFiles = config === undefined ? undefined : await projectOf({ ...flags, config });
  return {
    hooks: [...ofFolder, ...(ofFiles?.policies ?? [])],
    from: [folder, ...(config ?? [])].filter(Boolean).join(', '),
    close: async () => ofFiles?.close(),
  };
}

/**
 * The hooks of the project's configuration, its policies first; `undefined` where the project has none.
 *
 * @throws {DefinitionError} for what cannot be loaded
 */
export async function hooksOfProject(flags: HookFlags): Promise<ReplayHooks | undefined> {
  const { file } = await findConfig();
  if (file === undefined) return undefined;
  const project = await projectOf(flags);
  return { hooks: [...project.policies, ...project.hooks], from: file, close: () => project.close() };
}

/** Hooks that come with the command. */
export function ownHooks(hooks: readonly AnyHook[]): ReplayHooks {
  return { hooks, from: undefined, close: async () => {} };
}

async function projectOf({ config, trust }: HookFlags): Promise<Project> {
  // Loaded here: what it takes to read settings and rules costs more than a short replay.
  const { loadProject } = await import('../project/load-project.ts');
  const flags = { ...(config === undefined ? {} : { config }), ...(trust === undefined ? {} : { trust }) };
  const project = await loadProject(flags);
  tellUntrusted(project);
  return project;
}

/** Guards of a file that nobody has looked at deny whatever they guard: a replay then says little. */
function tellUntrusted({ settings }: Project): void {
  const untrusted = (settings?.files ?? []).filter(
    ({ trust }) => trust?.status === 'unknown' || trust?.status === 'changed',
  );
  if (untrusted.length === 0) return;
  const files = untrusted.map(({ file }) => file).join(', ');
  const text = `${countOf(untrusted.length, 'settings file')} not trusted (${files}): what they guard is denied.`;
  process.stderr.write(`spec-hooks: ${text} Look at them with spec-hooks trust, or add --trust.\n`);
}
