// Run: starts a command and makes sure that nothing of it is left. `members` calls it; it never looks into what the command answers.

import type { CommandOutcome, CommandOutput, CommandResult, CommandStart } from './command.ts';
import { followProcess } from './follow-process.ts';
import { guardHost } from './host-guard.ts';
import { removeFile } from './input-file.ts';
import { launch } from './launch.ts';
import { closeRun, openRun, setGroup } from './live-runs.ts';
import { closeGate } from './namespace.ts';
import { outcomeInGroup, outcomeInNamespace } from './outcomes.ts';
import { sweepSoon } from './sweep.ts';

export type { CommandOutcome, CommandResult, CommandStart, LaunchCode } from './command.ts';

const NOTHING: CommandOutput = { stdout: new Uint8Array(), stderr: new Uint8Array() };

/**
 * Runs one command in a way that ends: in a process group or namespace of its own, with its payload in a file, 1 MB of each
 * output kept, and nothing of it left afterwards. Never rejects for what a command is or does.
 *
 * @returns once the command has exited, or 300 ms after its deadline.
 */
export function runCommand(start: CommandStart): Promise<CommandResult> {
  return runUntil(start, undefined);
}

/** The same, ended by a second signal too. */
export async function runUntil(
  start: CommandStart,
  closing: AbortSignal | undefined,
): Promise<CommandResult> {
  const startedAt = performance.now();
  const ended = (outcome: CommandOutcome, output: CommandOutput = NOTHING): CommandResult => ({
    ...outcome,
    ...output,
    ms: performance.now() - startedAt,
  });
  if (start.signal?.aborted || closing?.aborted) return ended({ outcome: 'aborted' });
  guardHost();
  const mark = openRun();
  const launched = launch(start, mark);
  if ('outcome' in launched) {
    closeRun(mark);
    return ended(launched);
  }
  const { child, gate, inputPath } = launched;
  if (child.pid !== undefined) setGroup(mark, child.pid);
  const { end, output } = await followProcess(child, {
    timeoutMs: start.timeoutMs,
    signals: [start.signal, closing],
    onFirstLine: start.onFirstLine,
    onGone() {
      closeRun(mark);
      sweepSoon();
    },
  });
  removeFile(inputPath);
  const outcome = gate === undefined ? outcomeInGroup(end, start) : outcomeInNamespace(end, closeGate(gate));
  return ended(outcome, output);
}
