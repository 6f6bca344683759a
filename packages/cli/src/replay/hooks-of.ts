import * as builtins from '@spec/builtins';
import type { AnyHook } from '@spec/hooks';
import { loadHooks } from '@spec/hooks/node';
import { type Carried, nothingCarried } from '../project/carried.ts';
import { findConfig } from '../project/config.ts';
import type { Project } from '../project/load-project.ts';
import { listNotLoaded, type NotLoaded } from '../project/lost-entries.ts';
import { configuredParts, nameParts, type ProjectFlags } from '../project/parts.ts';
import { tellNotRunning } from '../project/tell-not-running.ts';

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
  /** The same in the headline of a report. */
  readonly named: string;
  /** Entries that are left out, because they are wrong. */
  readonly notLoaded: readonly NotLoaded[];
  readonly carried: Carried;
  close(): Promise<void>;
}

/**
 * The hooks that the options name; `undefined` where they name none.
 *
 * @throws {DefinitionError} for what cannot be loaded
 */
export async function loadHooksOfFlags(flags: HookFlags): Promise<ReplayHooks | undefined> {
  const { hooks: dir, config } = flags;
  if (dir === false) return ownHooks([], 'no hooks');
  const folder = typeof dir === 'string' ? dir : undefined;
  if (folder === undefined && config === undefined) return undefined;
  // A folder anywhere may import the built-in hooks, whether or not they are installed there.
  const modules = { '@spec/builtins': builtins };
  const ofFolder = folder === undefined ? [] : await loadHooks(folder, { modules });
  const ofFiles = config === undefined ? undefined : await readProject({ ...flags, config });
  return {
    hooks: [...ofFolder, ...(ofFiles?.policies ?? [])],
    ...nameSource([folder, ...(config ?? [])].filter(Boolean).join(', ')),
    notLoaded: listNotLoaded({ settings: ofFiles?.settings }),
    carried: ofFiles?.carried ?? nothingCarried,
    close: async () => ofFiles?.close(),
  };
}

/**
 * The hooks of the project as every command finds them, its policies first: those of its configuration, else those in the usual
 * places; `undefined` where there is neither.
 *
 * @throws {DefinitionError} for what cannot be loaded
 */
export async function loadHooksOfProject(flags: HookFlags): Promise<ReplayHooks | undefined> {
  const found = await findConfig();
  const from = found.file ?? nameParts(configuredParts(found)).join(', ');
  if (from === '') return undefined;
  const project = await readProject(flags);
  const hooks = [...project.policies, ...project.hooks];
  return {
    hooks,
    ...nameSource(from),
    notLoaded: listNotLoaded(project),
    carried: project.carried,
    close: () => project.close(),
  };
}

/** Hooks that come with the command. */
export function ownHooks(hooks: readonly AnyHook[], named: string): ReplayHooks {
  return { hooks, from: undefined, named, notLoaded: [], carried: nothingCarried, close: async () => {} };
}

function nameSource(from: string): Pick<ReplayHooks, 'from' | 'named'> {
  return { from, named: `hooks of ${from}` };
}

interface ReadProject extends Project {
  readonly carried: Carried;
}

async function readProject({ config, trust }: HookFlags): Promise<ReadProject> {
  // Loaded here: what it takes to read settings and rules costs more than a short replay.
  const { loadProject } = await import('../project/load-project.ts');
  const { listCarried } = await import('../project/list-carried.ts');
  const flags = { ...(config === undefined ? {} : { config }), ...(trust === undefined ? {} : { trust }) };
  const project = await loadProject(flags);
  tellNotRunning(project);
  return { ...project, carried: listCarried(project) };
}
