import { inspect } from 'node:util';
import { type Command, CommanderError } from 'commander';
import { shortenHelp } from './help.ts';
import { printable } from './printable.ts';
import { createProgram } from './program.ts';

/** How far a command has come. */
interface Progress {
  isOver: boolean;
  isIdle: boolean;
}

/** Runs the command that was typed, and sets the exit code. */
export async function runCommandLine(): Promise<void> {
  const program = createProgram();
  if (process.argv[2] !== 'help') shortenHelp(program);
  const progress: Progress = { isOver: false, isIdle: false };
  process.stdout.on('error', (error: NodeJS.ErrnoException) => endOutput(error, progress));
  // Nobody reads it, so there is nobody to tell: unheard, each attempt to tell would be the next error.
  process.stderr.on('error', () => {});
  process.on('beforeExit', () => (progress.isIdle = true)); // Not where something calls `process.exit`.
  process.on('exit', () => tellWhereCutShort(progress));
  try {
    await program.parseAsync(findTyped(program), { from: 'user' });
  } catch (error) {
    process.exitCode = await chooseExitCode(error, program.opts<{ debug?: boolean }>().debug === true);
  }
  progress.isOver = true;
}

/** What was typed. `help` of a command that there is not would print all help and no word of that: it is read as the command, which is an error. */
function findTyped(program: Command): readonly string[] {
  const typed = process.argv.slice(2);
  const [first, name] = typed;
  if (first !== 'help' || name === undefined || name.startsWith('-') || name === first) return typed;
  const isKnown = program.commands.some((one) => one.name() === name || one.aliases().includes(name));
  return isKnown ? typed : typed.slice(1);
}

/** Wrong usage is told by the argument parser; anything else gets one sentence here, and its stack on `--debug`. */
async function chooseExitCode(error: unknown, isDebug: boolean): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const { readCause } = await import('@spec/hooks'); // Loaded here, so that --help does not wait for it.
  const cause = readCause(error);
  const why =
    cause === undefined ? '' : `\nCaused by: ${cause instanceof Error ? cause.stack : inspect(cause)}`;
  process.stderr.write(`${isDebug ? `${stack}${why}` : `spec-hooks: ${printable(message)}`}\n`);
  return 1;
}

/** A hook that ends the process must not pass for a command that is done, whatever code it ends with. */
function tellWhereCutShort({ isOver, isIdle }: Progress): void {
  if (isOver) return;
  const what = 'a module or a hook';
  const why = isIdle ? `${what} waits for something that never comes` : `${what} ended the process`;
  process.stderr.write(`spec-hooks: ${why}, before the command was done.\n`);
  process.exitCode = 1;
}

/**
 * Who reads may stop reading (`| head`): the command goes on, for its exit code says what it found, and what it still writes goes
 * nowhere. Anything else that keeps us from writing is a failure.
 */
function endOutput({ code }: NodeJS.ErrnoException, progress: Progress): void {
  if (code === 'EPIPE') return;
  progress.isOver = true;
  process.stderr.write(`spec-hooks: the output could not be written: ${code}.\n`);
  process.exit(1);
}
