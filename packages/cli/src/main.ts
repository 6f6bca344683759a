#!/usr/bin/env node
import { CommanderError } from 'commander';
import { createProgram } from './program.ts';

const program = createProgram();

process.stdout.on('error', endOutput);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** Wrong usage is told by the argument parser; anything else gets one sentence here, and its stack on `--debug`. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`${program.opts<{ debug?: boolean }>().debug ? stack : `spec-hooks: ${message}`}\n`);
  return 1;
}

/** Who reads may stop reading (`| head`); anything else that keeps us from writing is a failure. */
function endOutput({ code }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit();
  process.stderr.write(`spec-hooks: the output could not be written: ${code}.\n`);
  process.exit(1);
}
