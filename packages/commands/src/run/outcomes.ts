import { constants } from 'node:os';
import type { CommandOutcome, CommandStart, LaunchCode, UnfinishedOutcome } from './command.ts';
import type { ProcessEnd } from './follow-process.ts';

/** What the end of a command's process means, in a process group. */
export function outcomeInGroup(end: ProcessEnd, { args }: CommandStart): CommandOutcome {
  if (end.by === 'us') return end.outcome;
  if (end.by === 'error') return readOutcomeOfError(end.error);
  if (end.code === null) return { outcome: 'killed', signal: end.signal ?? 'unknown' };
  // Without a shell 126 and 127 are the program's own.
  return args === undefined ? readOutcomeOfShell(end.code) : { outcome: 'exited', code: end.code };
}

/**
 * The same in a namespace. There a shell reports for the program: 126 and 127 are its own words without a shell too, and 128 and
 * the number of a signal is taken for a death by that signal.
 */
export function outcomeInNamespace(end: ProcessEnd, wasEntered: boolean): CommandOutcome {
  if (end.by === 'us') return end.outcome;
  if (end.by === 'error' || !wasEntered) return launchFailure('namespace_refused');
  if (end.code === null) return { outcome: 'killed', signal: end.signal ?? 'unknown' };
  const signal = SIGNALS.get(end.code - 128);
  return signal === undefined ? readOutcomeOfShell(end.code) : { outcome: 'killed', signal };
}

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number as number, name]));

function readOutcomeOfShell(code: number): CommandOutcome {
  if (code === 127) return { outcome: 'not_found' };
  if (code === 126) return { outcome: 'not_executable' };
  return { outcome: 'exited', code };
}

/** The outcome of a start that failed, at the process or at the file for its payload. */
export function readOutcomeOfError(error: unknown): UnfinishedOutcome {
  const { code = 'unknown', syscall } = error as NodeJS.ErrnoException;
  if (syscall?.startsWith('spawn')) {
    if (code === 'ENOENT') return { outcome: 'not_found' };
    if (code === 'EACCES' || code === 'ENOEXEC') return { outcome: 'not_executable' };
  }
  return { outcome: 'launch_failed', code };
}

export function launchFailure(code: LaunchCode): UnfinishedOutcome {
  return { outcome: 'launch_failed', code };
}
