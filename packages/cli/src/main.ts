#!/usr/bin/env node
// A coding agent waits for each of its hooks: for them nothing is loaded that only people need.
import { exit } from 'node:process';
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) {
  const { runThread } = await import('./daemon/thread.ts');
  runThread();
} else if (isDaemon(process.argv.slice(2))) {
  const { serve } = await import('./daemon/serve.ts');
  await serve(process.argv.slice(3)).catch(tellFailure);
} else if (isEventOfAgent(process.argv.slice(2))) {
  const { answerAgent } = await import('./hook/answer.ts');
  await answerAgent(process.argv.slice(3)).catch(tellFailure);
} else {
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine();
}

function isEventOfAgent([command, ...options]: readonly string[]): boolean {
  return command === 'hook' && options.includes('--agent') && options.includes('--event');
}

function isDaemon([command, ...options]: readonly string[]): boolean {
  return command === 'hook' && options.includes('--serve');
}

/** The launcher answers in our place. */
function tellFailure(error: unknown): never {
  process.stderr.write(`spec-hooks: ${error instanceof Error ? error.message : 'the hook failed'}\n`);
  return exit(1);
}
