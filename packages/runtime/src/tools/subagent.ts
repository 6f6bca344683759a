import { type HookToolResult, onAbort } from '@spec/hooks';
import { makeErrorResult } from '@spec/hooks/host';
import type { AgentTool } from '../definitions/tool.ts';
import type { TurnResult } from '../engine/turn-result.ts';
import { clocksAround } from '../permission/asks.ts';
import { resumeSession } from '../session/lifecycle.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { reachChild } from '../thread/family.ts';
import { globalId, TASK } from '../thread/ids.ts';
import { isThreadBusy } from '../thread/lease.ts';
import { flushRuns, refuseTaken } from '../writes/commit.ts';

/** The most agents that may call each other in a row: an agent that calls itself would never end. */
const MAX_NESTING = 8;

/** How often a child is run whose lease others take. */
const MAX_TRIES = 5;

/** A call of an agent. */
export interface ChildCall {
  readonly tool: AgentTool;
  /** The message for the child. */
  readonly message: string;
}

/**
 * Runs an agent as a tool: a child thread is made, both threads' hooks hear of it, and its last text is the result
 * (design §7.2). The parent's abort reaches the child. Called again after a crash, it goes on with the same child.
 */
export async function runChild(view: ThreadView, { tool, message }: ChildCall): Promise<HookToolResult> {
  if (view.core.record.depth >= MAX_NESTING)
    return makeErrorResult(`Agents call each other at most ${MAX_NESTING} deep.`);
  const task = { id: childId(view), agent: tool.agent, message };
  for (let tries = 1; ; tries++) {
    try {
      return await runTask(view, { ...task, mayExist: tries > 1 || view.place?.mayRepeat === true });
    } catch (error) {
      if (tries === MAX_TRIES || !(await hasLostOnlyChild(view, error))) throw error;
    }
  }
}

interface Task {
  /** Of the child. */
  readonly id: string;
  readonly agent: string;
  readonly message: string;
  readonly mayExist: boolean;
}

async function runTask(view: ThreadView, task: Task): Promise<HookToolResult> {
  const child = await openChild(view, task);
  let stopListening: (() => void) | undefined;
  try {
    const turn = child.turns.send({ role: 'user', content: task.message }, nameTask(view, child));
    stopListening = onAbort(view.execution.abortSignal, () => endTurns(view, child));
    const result = makeResult(await turn);
    await finishWoken(child);
    return result;
  } finally {
    stopListening?.();
    await endChild(child);
  }
}

/**
 * Whether a worker that stood still took the child, and not the parent, whose attempt runs here: it gives the child up when it finds that out,
 * and nobody but this attempt goes on with it. The store is asked whose the parent is, for a lease that was taken over may seem to live.
 *
 * @throws {RunError} `thread_busy` if another process has the parent
 */
async function hasLostOnlyChild({ core, flow }: ThreadView, error: unknown): Promise<boolean> {
  if (!flow.context.isExclusive || flow.isAborted || !isThreadBusy(error)) return false;
  return flow.keepsFence(await core.lease.take());
}

/** What was queued in the child may have begun a turn behind its task's, in which the process died. Its end changes nothing for the parent. */
async function finishWoken({ record, turns }: ThreadCore): Promise<void> {
  if (record.turn !== null) await turns.resume().catch(() => {}); // Its events and its error row tell of a failure.
}

/** Where the parent's attempt is given up, another one goes on with the child, too: that it was stopped here must not become its outcome. */
function endTurns({ flow }: ThreadView, child: ThreadCore): void {
  if (flow.isGivenUp) child.turns.giveUpAll();
  else child.turns.stopAll();
}

/** The child belongs to the call that runs it (design §13). */
function childId(view: ThreadView): string {
  const { place, threadId } = view;
  if (place === undefined) return globalId(threadId, crypto.randomUUID());
  return place.sharesCounter ? view.nextId() : place.globalId(threadId);
}

function nameTask({ place }: ThreadView, { id }: ThreadCore): string {
  return place?.sharesCounter ? `${id}.${TASK}` : TASK;
}

/** The child thread of this place in the turn: the existing one, or else a new one. */
async function openChild(view: ThreadView, { id, agent, mayExist }: Task): Promise<ThreadCore> {
  const { core } = view;
  const { runtime, children } = core;
  await refuseTaken(view);
  const existing = mayExist ? await reachOpenChild(core, id) : null;
  await (view.flow.context.isExclusive ? existing?.lease.takeOver() : existing?.lease.takeFromDead());
  const caller = { clock: clocksAround(view), refuseTaken: () => refuseTaken(view) };
  const child = existing ?? (await runtime.createChild(core, { id, agent, caller }));
  if (existing !== null) await resumeSession(existing, caller);
  if (!children.includes(id)) children.push(id);
  if (existing === null) await runtime.executor.run('after_subagent_created', core.scope, view, child.state);
  return child;
}

/** One that is about to close is opened anew when it has: a turn that it began then would run beside those of whoever opens it next. */
async function reachOpenChild(core: ThreadCore, id: string): Promise<ThreadCore | null> {
  const child = await reachChild(core, id);
  if (child === null || child.isOpen) return child;
  await child.close().catch(() => {}); // Who closed it hears of its failure.
  return reachOpenChild(core, id);
}

/** If the application has a handle of the child, the child stays open. */
async function endChild(child: ThreadCore): Promise<void> {
  if (!child.isHandled) return child.close();
  await flushRuns(child);
  await child.lease.release();
}

function makeResult({ status, text, reason }: TurnResult): HookToolResult {
  if (status === 'completed') return { status: 'success', result: text ?? '' };
  return makeErrorResult(`The agent did not finish: ${reason ?? status}.`);
}

/** Makes the child's message: what the tool makes of its arguments, or its only argument, or all of them as JSON. */
export function childMessage({ name, message }: AgentTool, input: unknown): string {
  const text: unknown = message === undefined ? writeArguments(input) : message(input as never);
  if (typeof text === 'string') return text;
  throw new Error(`The tool "${name}" makes no message of its arguments.`);
}

function writeArguments(input: unknown): string {
  const values = Object.values(input ?? {});
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(input);
}
