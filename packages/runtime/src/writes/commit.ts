import { RunError } from '@spec/hooks';
import { findRunCode } from '../aborted.ts';
import type { Append, LedgerEntry } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';

/**
 * Writing under a thread's fence. Every message is one of these commits, so nothing stands between them and the store: a
 * layer more is a promise, a closure and a copy, four times a turn.
 */

/**
 * Runs one write under the thread's fence; for a hook or a tool only if it has not ended at this very instant (C5). A turn
 * keeps the fence that it began with. If another process took the thread, and may have finished the turn, the turn is over here.
 *
 * @throws {RunError} `closed`, `late_write`, `thread_busy`
 */
export async function underFence<T>(
  view: ThreadView,
  write: string,
  run: (fence: number) => Promise<T>,
): Promise<T> {
  const { core } = view;
  core.refuseClosed();
  const fence = core.lease.fence ?? (await core.lease.take());
  refuseLate(view, write, fence);
  try {
    return await run(fence);
  } catch (error) {
    core.lease.noticeRefusal(error);
    throw error;
  }
}

/**
 * Makes one commit under the thread's fence. It includes the hook runs and tokens noted so far, and takes them back if it fails.
 *
 * @param what a function is called at the instant of the commit, after hooks and leases took their time
 * @throws {RunError} as {@link underFence} does
 */
export async function commit(view: ThreadView, write: string, what: Append | (() => Append)): Promise<void> {
  const { core } = view;
  core.refuseClosed();
  const fence = core.lease.fence ?? (await core.lease.take());
  refuseLate(view, write, fence);
  const given = typeof what === 'function' ? what() : what;
  const runs = core.runs.take();
  const marks = takesMarks(view, given, runs) ? core.runs.takeMarks() : undefined;
  const usage = core.tokens.take();
  try {
    const told = await core.store.append(core.id, fence, withNoted(given, { runs, marks, usage }));
    view.flow.isQueueEmpty = told?.waiting === false;
  } catch (error) {
    view.flow.isQueueEmpty = false;
    if (runs !== undefined) core.runs.takeBack(runs);
    if (marks !== undefined) core.runs.takeMarksBack(marks);
    if (usage !== undefined) core.tokens.takeBack();
    core.lease.noticeRefusal(error);
    throw error;
  }
  if (given.messages !== undefined) core.remember(given.messages);
  if (runs !== undefined) core.runtime.ledger.wrote(runs.length);
}

/** A row of the ledger for marks alone is a page more: they wait for one with runs, or for the end of their turn. */
function takesMarks(
  { flow }: ThreadView,
  { thread }: Append,
  runs: readonly LedgerEntry[] | undefined,
): boolean {
  return runs !== undefined || thread?.turn === null || flow.turnId === null;
}

function withNoted(given: Append, { runs, marks, usage }: Noted): Append {
  const { messages, newIds, toolCalls, dequeue, enqueue, values, thread } = given;
  // Field by field, so that commits have few hidden classes; a spread would give each kind one of its own.
  const append: Append = {};
  if (messages !== undefined) append.messages = messages;
  if (newIds !== undefined) append.newIds = newIds;
  if (toolCalls !== undefined) append.toolCalls = toolCalls;
  if (runs !== undefined) append.runs = runs;
  if (marks !== undefined) append.marks = marks;
  if (dequeue !== undefined) append.dequeue = dequeue;
  if (enqueue !== undefined) append.enqueue = enqueue;
  if (usage !== undefined) append.values = values === undefined ? [usage] : [...values, usage];
  else if (values !== undefined && values.length > 0) append.values = values;
  if (thread !== undefined) append.thread = thread;
  return append;
}

/** What was noted since the last commit. */
interface Noted {
  readonly runs: Append['runs'];
  readonly marks: Append['marks'];
  readonly usage: NonNullable<Append['values']>[number] | undefined;
}

/** Writes the runs that no commit took along: those of `after_*` hooks. */
export function flushRuns(core: ThreadCore): Promise<void> | undefined {
  return core.runs.isEmpty ? undefined : commit(core.state, 'runs', {});
}

/** @throws {RunError} `thread_busy`, `late_write` */
function refuseLate(view: ThreadView, write: string, fence: number): void {
  if (!view.flow.keepsFence(fence)) throw takenFrom(view.core);
  view.assertOpen(write);
}

/**
 * Call before anything more than a write, such as a tool's code. After another process took the thread, neither this turn nor
 * anything that it called may act. While the lease certainly lives, checking it is enough.
 *
 * @throws {RunError} `thread_busy`
 */
export function refuseTaken(view: ThreadView): Promise<void> | undefined {
  const { lease } = view.core;
  const needsLease = view.flow.isPinned || lease.wasTaken;
  return needsLease ? refuseUnder(view, lease.held()) : refuseTakenAbove(view);
}

/**
 * The same before a hook. Hooks of writes between two turns need no lease, and a session ends where it began.
 *
 * @throws {RunError} `thread_busy`
 */
export function refuseHookIfTaken(view: ThreadView): Promise<void> | undefined {
  const { core, flow } = view;
  if (flow.isPinned) return refuseUnder(view, core.lease.held());
  return core.session.isOver ? undefined : refuseTakenAbove(view);
}

function refuseUnder(view: ThreadView, fence: number | Promise<number>): Promise<void> | undefined {
  if (typeof fence !== 'number') return fence.then((taken) => refuseUnder(view, taken));
  if (!view.flow.keepsFence(fence)) throw takenFrom(view.core);
  return refuseTakenAbove(view);
}

function refuseTakenAbove({ core }: ThreadView): Promise<void> | undefined {
  return core.session.caller?.refuseTaken();
}

function takenFrom({ id: threadId }: ThreadCore): RunError {
  const message = `Another process took thread ${threadId} while this turn ran; it finishes the turn, or has.`;
  return new RunError('thread_busy', message, { threadId });
}

/** After these nothing can be written to the thread, or nothing should be. */
const lastingRefusals: ReadonlySet<string> = new Set([
  'closed',
  'thread_busy',
  'not_found',
  'store_failed',
  'thread_terminated',
]);

/** Whether a write failed for what the thread or its store is, and not for what was to be written. Its turn stays open. */
export function leavesTurnOpen(error: unknown): boolean {
  return lastingRefusals.has(findRunCode(error) ?? '');
}
