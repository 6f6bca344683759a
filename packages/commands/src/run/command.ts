import type { Cut } from './collect-output.ts';

/** What it takes to run one command. */
export interface CommandStart {
  /** Text for the shell, or with `args` the program. */
  readonly command: string;
  /** The program's arguments. With them no shell is started and nothing is expanded. */
  readonly args?: readonly string[];
  /** The shell that reads `command`. Default `sh`. */
  readonly shell?: 'sh' | 'bash';
  readonly cwd: string;
  /** The dialect's variables, added to the allow-list of the host's. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of more variables of the host that the command may see. */
  readonly pass?: readonly string[];
  /** JSON text: the command's standard input, and the private file that HOOK_INPUT_FILE names. */
  readonly payload: string;
  /** Variables such as INPUT and PROMPT. A value over 96 KiB is left out, and HOOK_INPUT_TRUNCATED=1 is set. */
  readonly payloadVariables?: Readonly<Record<string, string | undefined>>;
  /** Whether the command guards a tool or a prompt. A gate does not run if it or one of its scripts names a variable that was left out. */
  readonly isGate: boolean;
  /** Gives the texts of the scripts that a gate runs. Called if a variable was left out, because a script may name it. */
  readonly scripts?: () => readonly string[];
  /** Called with the first line of standard output while the command runs. */
  readonly onFirstLine?: (line: string) => void;
  /** Milliseconds from the start until it is ended. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** What holds its processes: a process group (the default) or, on Linux, a process namespace that nothing can leave. */
  readonly isolate?: 'group' | 'namespace';
}

/**
 * How a command ended. Only `exited` carries an opinion of the command; every other outcome means that it gave none.
 */
export type CommandOutcome =
  | { readonly outcome: 'exited'; readonly code: number }
  | { readonly outcome: 'timed_out' }
  | { readonly outcome: 'aborted' }
  | { readonly outcome: 'killed'; readonly signal: string }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'not_executable' }
  | { readonly outcome: 'bad_folder' }
  /** `code` is the system's (E2BIG, EMFILE, …) or one of {@link LaunchCode}. */
  | { readonly outcome: 'launch_failed'; readonly code: string }
  /** `variable` is named by the command but too large to be set. */
  | { readonly outcome: 'input_too_large' | 'input_unclear'; readonly variable: string };

/** How a command ends that does not end by itself. */
export type UnfinishedOutcome = Exclude<CommandOutcome, { outcome: 'exited' }>;

/** Our own reasons for not starting a command, beside the system's error codes. */
export type LaunchCode =
  | 'nul_character'
  | 'lone_surrogate'
  | 'nested_too_deep'
  | 'bad_variable_name'
  | 'namespace_refused'
  | 'unsupported_platform';

/** What a command wrote: of each output the first 1 MB. */
export interface CommandOutput {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Whether standard output may have had more: it exceeded the limit, or a child still held it. */
  readonly cut?: Cut;
}

/** A finished command: how it ended, what it wrote, and the milliseconds it took. */
export type CommandResult = CommandOutcome & CommandOutput & { readonly ms: number };
