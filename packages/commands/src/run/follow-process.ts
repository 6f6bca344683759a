import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { onAbort } from '@spec/hooks';
import { type CollectedOutput, collectOutput } from './collect-output.ts';
import type { CommandOutcome, CommandOutput } from './command.ts';
import { isGroupLeft, signalGroup } from './live-runs.ts';

/** Milliseconds between SIGTERM and SIGKILL. */
const KILL_AFTER = 200;
/** Milliseconds after SIGKILL, when a process that not even that ends is no longer waited for. */
const GIVE_UP_AFTER = 100;
/** Milliseconds after the command's exit, in which what it wrote last still arrives. */
const DRAIN = 150;
/** The longest time that a timer can hold. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A command's process: it leads a process group, and its outputs are pipes. */
export type CommandProcess = ChildProcessByStdio<null, Readable, Readable>;

/** When a command is to be ended, and who is told. */
export interface FollowOptions {
  readonly timeoutMs: number;
  readonly signals: readonly (AbortSignal | undefined)[];
  readonly onFirstLine?: ((line: string) => void) | undefined;
  /** Called once, when the last signal to the process group was sent. */
  readonly onGone: () => void;
}

/** How the process of a command ended: by itself, never started, or ended by us. */
export type ProcessEnd =
  | { readonly by: 'exit'; readonly code: number | null; readonly signal: string | null }
  | { readonly by: 'error'; readonly error: unknown }
  | { readonly by: 'us'; readonly outcome: CommandOutcome };

export interface Followed {
  readonly end: ProcessEnd;
  readonly output: CommandOutput;
}

/**
 * Follows a command until it has ended, and ends it at its deadline and when it is aborted.
 *
 * 1. It settles once: when the command has exited and its pipes are closed, 150 ms after its exit, or 300 ms after it was told to end.
 * 2. The first end counts. If the host was busy when a time was over, an exit and output that had arrived by then still count.
 * 3. A process group that was told to end has 200 ms for it, also when its first process is gone before; what is left of one that ended by
 *    itself is killed at once.
 */
export function followProcess(child: CommandProcess, options: FollowOptions): Promise<Followed> {
  return new Promise((resolve) => {
    const course: Course = {
      child,
      onGone: options.onGone,
      resolve,
      stdout: collectOutput(child.stdout, options.onFirstLine),
      stderr: collectOutput(child.stderr),
      forgetAbort: [],
      timer: undefined,
      immediate: undefined,
      killTimer: undefined,
      end: undefined,
      settled: false,
      gone: false,
    };
    const stopAborted = (): void => stop(course, { outcome: 'aborted' });
    course.forgetAbort = options.signals.map((signal) => onAbort(signal, stopAborted));
    after(course, options.timeoutMs, () => stop(course, { outcome: 'timed_out' }));
    child.once('error', (error) => {
      course.end ??= { by: 'error', error };
      settle(course);
    });
    child.once('exit', (code, signal) => exited(course, { by: 'exit', code, signal }));
    child.once('close', () => settle(course));
  });
}

interface Course {
  readonly child: CommandProcess;
  readonly onGone: () => void;
  readonly resolve: (followed: Followed) => void;
  readonly stdout: CollectedOutput;
  readonly stderr: CollectedOutput;
  forgetAbort: readonly (() => void)[];
  /** What happens next unless something happens earlier. */
  timer: NodeJS.Timeout | undefined;
  immediate: NodeJS.Immediate | undefined;
  /** Kills what SIGTERM left. */
  killTimer: NodeJS.Timeout | undefined;
  end: ProcessEnd | undefined;
  settled: boolean;
  /** Whether the process group is empty. */
  gone: boolean;
}

function after(course: Course, ms: number, next: () => void): void {
  forgetTimer(course);
  // What has happened meanwhile is heard of between a timer and what is immediate.
  const listen = () => {
    course.immediate = setImmediate(next);
  };
  course.timer = setTimeout(listen, Math.min(ms, LONGEST_TIMER));
}

function forgetTimer({ timer, immediate }: Course): void {
  clearTimeout(timer);
  clearImmediate(immediate);
}

function stop(course: Course, outcome: CommandOutcome): void {
  const { end, child } = course;
  if (end !== undefined || child.pid === undefined) return;
  course.end = { by: 'us', outcome };
  signalGroup(child.pid, 'SIGTERM');
  // The host need not stay for it: what is left when it exits is killed then.
  course.killTimer = setTimeout(killGroup, KILL_AFTER, course).unref();
  after(course, KILL_AFTER + GIVE_UP_AFTER, () => settle(course));
}

function exited(course: Course, end: ProcessEnd): void {
  if (course.end === undefined) {
    course.end = end;
    after(course, DRAIN, () => settle(course));
  } else settle(course);
}

function settle(course: Course): void {
  const { child, end, stdout, stderr } = course;
  if (course.settled || end === undefined) return;
  course.settled = true;
  forgetTimer(course);
  const cut = end.by === 'exit' ? stdout.cut() : undefined;
  for (const forget of course.forgetAbort) forget();
  if (course.killTimer === undefined || !isGroupLeft(child.pid)) killGroup(course);
  course.resolve({
    end,
    output: { stdout: stdout.bytes(), stderr: stderr.bytes(), ...(cut === undefined ? {} : { cut }) },
  });
}

function killGroup(course: Course): void {
  if (course.gone) return;
  course.gone = true;
  clearTimeout(course.killTimer);
  signalGroup(course.child.pid, 'SIGKILL');
  // Not before: a process that still cleans up would die of a broken pipe.
  course.child.stdout.destroy();
  course.child.stderr.destroy();
  course.onGone();
}
