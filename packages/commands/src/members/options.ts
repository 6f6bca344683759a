import type { OptionNames, ThreadState } from '@spec/hooks';
import type { CompiledEntry, Dialect, Layer } from '../normal-form.ts';
import type { CommandRunner } from '../run/command-runner.ts';
import type { Background } from './background.ts';

/** A settings file whose entries are ready to run. */
export interface CompiledFile {
  /** Its name as given. */
  readonly file: string;
  /** The prefix of its hooks' ids, snake_case and unique: `claude_project`. */
  readonly id: string;
  readonly layer: Layer;
  readonly dialect: Dialect;
  readonly entries: readonly CompiledEntry[];
  /** The most of its commands that run at once. Default: no limit. */
  readonly maxConcurrent?: number | undefined;
  /** Why its entries must not run now. Called before they run. If absent, they may run. */
  readonly refusal?: () => string | undefined;
  /** Runs its commands. Default: a new runner. */
  readonly runner?: CommandRunner;
}

/** Where and how the entries of settings files run. */
export interface CommandOptions {
  /** The project's folder: where commands run. Default: the working folder. */
  readonly projectDir?: string;
  /** Where the agent's files are; `{{sandbox}}`. Default: the project's folder. */
  readonly sandboxDir?: string;
  /** Names of more variables of the host's environment that commands may see. */
  readonly pass?: readonly string[];
  /** What holds a command's processes: a process group (the default) or, on Linux, a process namespace. */
  readonly isolate?: 'group' | 'namespace';
  /** Hosts that `http` entries may call, besides this machine. */
  readonly allowedHosts?: readonly string[];
  /** The permission mode that entries are given. Default: the mode that the runtime keeps with the thread. */
  readonly permissionMode?: (state: ThreadState) => string | Promise<string>;
  /** Where entries run in the background. Default: a new place. */
  readonly background?: Background;
  /** The prefix of the id of the hook that ends them with the session. Default: the hook exists if it is needed. */
  readonly drainId?: string;
  /** How long the end of a session waits for entries in the background before it ends them, in milliseconds. Default 5,000. */
  readonly drainMs?: number;
}

/** The {@link CommandOptions} that a loader of settings files passes on. */
export const commandOptionNames: OptionNames<Omit<CommandOptions, 'background' | 'drainId'>> = {
  projectDir: true,
  sandboxDir: true,
  pass: true,
  isolate: true,
  allowedHosts: true,
  permissionMode: true,
  drainMs: true,
};

/** Picks the options for commands. */
export function pickCommandOptions(options: CommandOptions): CommandOptions {
  const isForCommands = ([name]: [string, unknown]): boolean => Object.hasOwn(commandOptionNames, name);
  return Object.fromEntries(Object.entries(options).filter(isForCommands));
}

/** The surroundings that all entries share. */
export interface Surroundings extends Pick<CommandOptions, 'pass' | 'isolate' | 'allowedHosts'> {
  readonly projectDir: string;
  readonly sandboxDir: string;
  readonly permissionMode: (state: ThreadState) => string | Promise<string>;
}

export function makeSurroundings(options: CommandOptions): Surroundings {
  const { projectDir = process.cwd(), sandboxDir = projectDir, permissionMode = readMode } = options;
  const { pass, isolate, allowedHosts } = options;
  return {
    projectDir,
    sandboxDir,
    permissionMode,
    ...(pass === undefined ? {} : { pass }),
    ...(isolate === undefined ? {} : { isolate }),
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
  };
}

/** Where the runtime keeps a thread's mode. */
const MODE_KEY = 'runtime/permission-mode';

async function readMode(state: ThreadState): Promise<string> {
  const mode = await state.getValue(MODE_KEY);
  return typeof mode === 'string' ? mode : 'default';
}
