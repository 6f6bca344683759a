#!/usr/bin/env node
// A coding agent waits for each of its hooks: for them nothing is loaded that only people need.
import { exit } from 'node:process';

if (isEventOfAgent(process.argv.slice(2))) {
  const { answerAgent } = await import('./hook/answer.ts');
  await answerAgent(process.argv.slice(3)).catch(tellFailure);
} else {
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine();
}

function isEventOfAgent([command, ...options]: readonly string[]): boolean {
  return command === 'hook' && options.includes('--agent') && options.includes('--event');
}

/** The launcher answers in our place. */
function tellFailure(error: unknown): never {
  process.stderr.write(`spec-hooks: ${error instanceof Error ? error.message : 'the hook failed'}\n`);
  return exit(1);
}
