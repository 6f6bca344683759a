import { spawn } from 'node:child_process';
import { accessSync, closeSync, constants, statSync } from 'node:fs';
import type { CommandStart, LaunchCode, UnfinishedOutcome } from './command.ts';
import { type CommandEnvironment, firstNamed, makeEnvironment } from './environment.ts';
import { findBash } from './find-bash.ts';
import type { CommandProcess } from './follow-process.ts';
import { removeFile, writeInput } from './input-file.ts';
import { RUN_VARIABLE } from './live-runs.ts';
import { inNamespace, openGate } from './namespace.ts';
import { launchFailure, readOutcomeOfError } from './outcomes.ts';
import { findPayloadFault, LONE_SURROGATE } from './payload-faults.ts';

/** A command that runs: its process, and what it holds until it has ended. */
export interface Launched {
  readonly child: CommandProcess;
  readonly inputPath: string;
  /** In a namespace, see `openGate`. */
  readonly gate: number | undefined;
}

/** Starts a command in its own process group, or says why it does not start. */
export function launch(start: CommandStart, mark: string): Launched | UnfinishedOutcome {
  const prepared = prepare(start);
  if ('outcome' in prepared) return prepared;
  const { variables } = prepared;
  variables[RUN_VARIABLE] = mark;
  return spawnWithInput(start, variables);
}

/** Finds what will certainly keep a command from starting, without starting it. */
export function findLaunchProblem(start: CommandStart): UnfinishedOutcome | undefined {
  const prepared = prepare(start);
  return 'outcome' in prepared ? prepared : undefined;
}

function prepare(start: CommandStart): Pick<CommandEnvironment, 'variables'> | UnfinishedOutcome {
  if (process.platform === 'win32') return launchFailure('unsupported_platform');
  if (!isFolder(start.cwd)) return { outcome: 'bad_folder' };
  const { variables, leftOut, unclear } = makeEnvironment(start);
  const missing = [...leftOut, ...unclear];
  if (start.isGate && missing.length > 0) {
    const variable = firstNamed(missing, start);
    if (variable !== undefined)
      return { outcome: unclear.includes(variable) ? 'input_unclear' : 'input_too_large', variable };
  }
  const fault = unsafeText(start, variables);
  return fault === undefined ? { variables } : launchFailure(fault);
}

/** A bad folder would come back from the system as a program that does not exist. */
function isFolder(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function spawnWithInput(
  start: CommandStart,
  variables: Record<string, string>,
): Launched | UnfinishedOutcome {
  const undo: (() => void)[] = [];
  try {
    const input = writeInput(start.payload);
    undo.push(
      () => closeSync(input.descriptor),
      () => removeFile(input.path),
    );
    variables.HOOK_INPUT_FILE = input.path;
    const gate = start.isolate === 'namespace' ? openGate() : undefined;
    if (gate !== undefined) undo.push(() => closeSync(gate));
    const child = spawnGroup(start, variables, { input: input.descriptor, gate });
    closeSync(input.descriptor);
    return { child, inputPath: input.path, gate };
  } catch (error) {
    for (const step of undo) step();
    return readOutcomeOfError(error);
  }
}

interface Descriptors {
  /** The command's standard input: a file, so that `/dev/stdin` works and nobody waits for a reader. */
  readonly input: number;
  readonly gate: number | undefined;
}

function spawnGroup(
  start: CommandStart,
  env: Record<string, string>,
  { input, gate }: Descriptors,
): CommandProcess {
  const program = chooseProgram(start, env);
  const [file, args] = gate === undefined ? program : inNamespace(program);
  const child = spawn(file, args, {
    cwd: start.cwd,
    env,
    detached: true,
    stdio: [input, 'pipe', 'pipe', ...(gate === undefined ? [] : [gate])],
  });
  if (child.stdout === null || child.stdout === undefined) {
    // Out of descriptors: what the error event says is known, and there is nothing to follow.
    child.on('error', () => {});
    throw Object.assign(new Error('no descriptors left'), { code: 'EMFILE' });
  }
  return child as CommandProcess;
}

function chooseProgram(
  { command, args, shell = 'sh', cwd }: CommandStart,
  { PATH = '' }: Readonly<Record<string, string>>,
): [file: string, args: readonly string[]] {
  if (args !== undefined) return [command, args];
  const program = shell === 'sh' ? '/bin/sh' : findBash(PATH, [cwd, process.cwd()]);
  return [program, ['-c', command]];
}

/** Finds text that the system would silently cut or replace on its way to a command, or that readers of JSON refuse, which is the reason not to start it. */
function unsafeText(
  { command, args, payload }: CommandStart,
  variables: Readonly<Record<string, string>>,
): LaunchCode | undefined {
  for (const name in variables) {
    if (name === '' || name.includes('=')) return 'bad_variable_name';
    const fault = findFault(name) ?? findFault(variables[name] as string);
    if (fault !== undefined) return fault;
  }
  for (const text of args ?? []) {
    const fault = findFault(text);
    if (fault !== undefined) return fault;
  }
  return findFault(command) ?? findPayloadFault(payload);
}

function findFault(text: string): LaunchCode | undefined {
  if (text.includes('\0')) return 'nul_character';
  return LONE_SURROGATE.test(text) ? 'lone_surrogate' : undefined;
}
