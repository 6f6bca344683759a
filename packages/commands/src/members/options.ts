import type { OptionNames, ThreadState } from '@spec/hooks';
import type { CompiledEntry, Dialect, Layer } from '../normal-form.ts';
import type { CommandRunner } from '../run/command-runner.ts';
import type { Background } from './background.ts';

/** A settings file whose entries are ready to run. */
export interface CompiledFile {
  /** As it was named. */
  readonly file: string;
  /** What the ids of its hooks begin with, snake_case and unique: `claude_project`. */
  readonly id: string;
  readonly layer: Layer;
  readonly dialect: Dialect;
  readonly entries: readonly CompiledEntry[];
  /** At most so many of its commands run at once. Default: no limit. */
  readonly maxConcurrent?: number | undefined;
  /** Why its entries must not run now; asked before they do. Absent: they may. */
  readonly refusal?: () => string | undefined;
  /** What runs its commands. Default: a runner of its own. */
  readonly runner?: CommandRunner;
}

/** Where and how the entries of settings files run. */
export interface CommandOptions {
  /** The project's folder: where commands run. Default: the working folder. */
  readonly projectDir?: string;
  /** Where the agent's files are; `{{sandbox}}`. Default: the project's folder. */
  readonly sandboxDir?: string;
  /** Names of further variables of the host's environment that commands may see. */
  readonly pass?: readonly string[];
  /** What a command's processes are kept in: a process group (the default), or on Linux a process namespace. */
  readonly isolate?: 'group' | 'namespace';
  /** Hosts that `http` entries may ask, besides this machine. */
  readonly allowedHosts?: readonly string[];
  /** The word for a thread's permission mode that entries are told. Default: the mode that the runtime keeps with the thread. */
  readonly permissionMode?: (state: ThreadState) => string | Promise<string>;
  /** Where entries run that nobody waits for. Default: a place of their own. */
  readonly background?: Background;
  /** What the id of the hook begins with that ends them with the session. Default: there is one where it is needed. */
  readonly drainId?: string;
  /** Milliseconds that the end of a session waits for entries that nobody waited for; then they are ended. Default 5,000. */
  readonly drainMs?: number;
}

/** Those of {@link CommandOptions} that who loads settings files gives. */
export const commandOptionNames: OptionNames<Omit<CommandOptions, 'background' | 'drainId'>> = {
  projectDir: true,
  sandboxDir: true,
  pass: true,
  isolate: true,
  allowedHosts: true,
  permissionMode: true,
  drainMs: true,
};

/** The options for commands among others. */
export function pickCommandOptions(options: CommandOptions): CommandOptions {
  const isForCommands = ([name]: [string, unknown]): boolean => Object.hasOwn(commandOptionNames, name);
  return Object.fromEntries(Object.entries(options).filter(isForCommands));
}

/** What all entries find around them. */
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
