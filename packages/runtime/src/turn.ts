import { type NewMessage, RunError, type Verdict } from '@spec/hooks';
import { isAborted } from './aborted.ts';
import type { Flow } from './flow.ts';
import { askPerson } from './permission.ts';
import { runStep } from './step.ts';
import type { ThreadCore } from './thread-core.ts';
import type { ThreadView } from './thread-view.ts';
import { admitMessages, flushRuns, insertMessage } from './writes.ts';

/** How a turn ended. */
export interface TurnResult {
  readonly turnId: string;
  /**
   * `completed`: the model stopped calling tools. `denied`: a hook refused the message and nothing was stored. `limit`: the agent's
   * `maxSteps` were used up. `stopped`: a hook or tool ended it after a step. `aborted`: it was stopped at once.
   */
  readonly status: 'completed' | 'denied' | 'limit' | 'stopped' | 'aborted';
  /** The model's last text. */
  readonly text: string | null;
  /** How many times the model was called. */
  readonly steps: number;
  /** Why it was denied, for the caller. */
  readonly reason?: string;
  /** What a hook wants the person to read. */
  readonly userMessage?: string;
}

const DEFAULT_MAX_STEPS = 50;
const MAX_KEPT_GOING = 8;

/** Runs one turn to its end (design §7.1). @throws {RunError} where a model or a blocking hook fails; an error row tells of it. */
export async function runTurn(core: ThreadCore, flow: Flow, input: NewMessage): Promise<TurnResult> {
  core.refuseMessages();
  const letGo = core.lease.hold();
  let status: TurnResult['status'] | 'failed' = 'failed';
  try {
    const result = await attemptTurn(core.state.in(flow), input);
    status = result.status;
    return result;
  } finally {
    letGo();
    core.events.emit({ type: 'turn_ended', turnId: flow.flowId, status });
  }
}

async function attemptTurn(view: ThreadView, input: NewMessage): Promise<TurnResult> {
  const { core, flow } = view;
  try {
    const result = await takeTurn(view, input).catch((error: unknown) => {
      if (flow.isAborted && isAborted(error)) return resultOf(view, { status: 'aborted', text: null });
      throw error;
    });
    await flushRuns(core);
    return result;
  } catch (error) {
    await storeErrorRow(view.afterAbort(), error);
    throw error;
  }
}

type Ended = Omit<TurnResult, 'turnId' | 'steps'>;

function resultOf({ flow }: ThreadView, ended: Ended): TurnResult {
  return { turnId: flow.flowId, steps: flow.stepCount, ...ended };
}

async function takeTurn(view: ThreadView, input: NewMessage): Promise<TurnResult> {
  const { core } = view;
  if (view.flow.isAborted) return resultOf(view, { status: 'aborted', text: null });
  await admitMessages(core);
  const verdict = await core.runtime.executor.run('before_user_message', core.scope, view, input);
  const { subject, context, userMessage } = verdict;
  const forPerson = userMessage === undefined ? {} : { userMessage };
  const reason = await refusalOf(view, verdict);
  if (reason !== undefined) return resultOf(view, { status: 'denied', text: null, reason, ...forPerson });
  await insertMessage(view, subject);
  for (const content of context) await insertMessage(view, { role: 'user', content });
  return resultOf(view, { ...(await runSteps(view)), ...forPerson });
}

async function refusalOf(
  view: ThreadView,
  { decision, by, reason, subject }: Verdict<NewMessage>,
): Promise<string | undefined> {
  if (decision === 'deny') return reason ?? `denied by ${by}`;
  if (decision !== 'ask') return undefined;
  return askPerson(view, { about: 'user_message', text: subject.content ?? '', reason });
}

/** Step after step, until the model calls no tool and no hook keeps the turn going. */
async function runSteps(view: ThreadView): Promise<Ended> {
  const { core, flow } = view;
  const { maxSteps = DEFAULT_MAX_STEPS } = core.agent;
  let text: string | null = null;
  let keptGoing = 0;
  for (;;) {
    if (flow.isAborted) return { status: 'aborted', text: null };
    if (flow.stopped) return { status: 'stopped', text };
    if (flow.stepCount >= maxSteps) return { status: 'limit', text };
    flow.stepCount++;
    const { message, callCount } = await runStep(view);
    text = message.content;
    if (callCount > 0 || flow.stopped) continue;
    const reason = keptGoing < MAX_KEPT_GOING ? await reasonToGoOn(view, keptGoing) : undefined;
    if (reason === undefined) return { status: 'completed', text };
    keptGoing++;
    await insertMessage(view, { role: 'user', content: reason });
  }
}

async function reasonToGoOn(view: ThreadView, keptGoing: number): Promise<string | undefined> {
  const { runtime, scope } = view.core;
  const verdict = await runtime.executor.run('before_stop', scope, view, { reason: 'completed', keptGoing });
  return verdict.decision === 'deny' ? verdict.reason : undefined;
}

/** After these nothing can be written to the thread, or nothing should be. */
const untold: ReadonlySet<string> = new Set([
  'closed',
  'thread_busy',
  'not_found',
  'store_failed',
  'thread_terminated',
]);

/** Tells in the thread that the turn failed. The model never sees these rows. */
async function storeErrorRow(view: ThreadView, error: unknown): Promise<void> {
  const code = error instanceof RunError ? error.code : 'unexpected';
  if (untold.has(code)) return;
  try {
    await insertMessage(view, {
      role: 'assistant',
      content: `The turn ended with an error: ${code}.`,
      error_code: code,
    });
    await flushRuns(view.core);
  } catch {
    // The error that ended the turn is the one the caller must see; a hook that refuses its row too is in the ledger.
  }
}
