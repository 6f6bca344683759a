import { type HookToolResult, onAbort } from '@spec/hooks';
import { makeErrorResult } from '@spec/hooks/host';
import type { AgentTool } from '../definitions/tool.ts';
import type { TurnResult } from '../engine/turn-result.ts';
import { clocksAround } from '../permission/asks.ts';
import { resumeSession } from '../session/lifecycle.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { reachChild } from '../thread/family.ts';
import { globalId, TASK } from '../thread/ids.ts';
import { flushRuns, refuseTaken } from '../writes/commit.ts';

/** The most agents that may call each other in a row: an agent that calls itself would never end. */
const MAX_NESTING = 8;

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
  const { core } = view;
  if (core.record.depth >= MAX_NESTING)
    return makeErrorResult(`Agents call each other at most ${MAX_NESTING} deep.`);
  const child = await openChild(view, tool.agent);
  let stopListening: (() => void) | undefined;
  try {
    const turn = child.turns.send({ role: 'user', content: message }, nameTask(view, child));
    stopListening = onAbort(view.execution.abortSignal, () => endTurns(view, child));
    const result = makeResult(await turn);
    await finishWoken(child);
    return result;
  } finally {
    stopListening?.();
    await endChild(child);
  }
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
async function openChild(view: ThreadView, agent: string): Promise<ThreadCore> {
  const { core } = view;
  const { runtime, children } = core;
  const id = childId(view);
  await refuseTaken(view);
  const existing = view.place?.mayRepeat ? await reachOpenChild(core, id) : null;
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
