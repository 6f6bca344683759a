// Permission: decides whether a tool call may run, and asks a person. Tools and turns call it; it never runs a tool.

import {
  describeDenial,
  ENDLESSLY_REWRITTEN,
  type HookToolCall,
  type HookToolResult,
  MAX_DECISION_ROUNDS,
  type PermissionRequest,
  parseArguments,
  type Verdict,
} from '@spec/hooks';
import type { PermissionAsk } from '../definitions/permission-ask.ts';
import { refreshMode } from '../session/lifecycle.ts';
import type { ThreadView } from '../thread/core.ts';
import { isTerminated } from '../thread/family.ts';
import { notify } from '../writes/notifications.ts';
import { askPerson } from './asks.ts';
import { findGuards, restoreForTool } from './restore-for-tool.ts';

/** What was decided on a tool call, by hooks and persons. */
export interface DecidedCall {
  /** The call with the rewrites of hooks. */
  readonly call: HookToolCall;
  /** Why it may not run. */
  readonly refusal?: string;
  /** Whether a person was asked, and it was not allowed. */
  readonly isRefusedByPerson?: true;
  /** Answers the call without running the tool. */
  readonly result?: HookToolResult;
  /** For the conversation. */
  readonly contexts: readonly string[];
}

/**
 * Decides on a tool call, by the hooks and the permission mode of the thread (design §4.2). `decideCall` of `@spec/hooks/host` is the same for loops without modes.
 *
 * P1 `before_tool_call` decides; where that asks, or no hook has decided and the tool or the thread's mode asks,
 *    `before_permission_request` answers for the person, else the person does. An ask that nobody can answer is a deny.
 * P2 A call that was rewritten for permission is decided on anew before anybody is asked: no rewrite gets past a deny, and
 *    what a person allowed is what runs.
 * P3 What a hook decided stands in every permission mode.
 * P4 What changed while a person was asked holds: the end of the thread or of one above it, a mode that denies, other hooks. Their yes stands for the call
 *    that they saw, where it is still to be asked about.
 * P5 Nobody is asked about a tool that is not there: nothing would run.
 */
export function decideUnderMode(
  view: ThreadView,
  requested: HookToolCall,
  { isKnown }: { readonly isKnown: boolean },
): DecidedCall | Promise<DecidedCall> {
  return runsAtOnce(view, requested, isKnown)
    ? { call: requested, contexts: [] }
    : decide(view, requested, isKnown);
}

/** Whether there is nobody to ask, here or above, and nothing to look up: as for most calls of a thread without such hooks. */
function runsAtOnce(view: ThreadView, call: HookToolCall, isKnown: boolean): boolean {
  const { core } = view;
  if (core.scope.before_tool_call !== undefined || core.record.parentId !== null) return false;
  return core.record.terminated === null && (!isKnown || withoutHooks(view, call) === 'run');
}

async function decide(view: ThreadView, requested: HookToolCall, isKnown: boolean): Promise<DecidedCall> {
  if (view.core.scope.before_tool_call === undefined) {
    await refreshMode(view.core);
    const mayRun = !isKnown || withoutHooks(view, requested) === 'run';
    if (mayRun && !(await isTerminated(view.core))) return { call: requested, contexts: [] };
  }
  const contexts: string[] = [];
  const deciding: Deciding = { isKnown, contexts, noticed: new Set() };
  let call = requested;
  for (let round = 0; round <= MAX_DECISION_ROUNDS; round++) {
    const { isOpen, ...decided } = await decideOnce(view, call, deciding);
    const mayRun = decided.refusal === undefined;
    if (mayRun && (await isTerminated(view.core)))
      return { call: decided.call, contexts, refusal: TERMINATED };
    if (!isOpen) return { ...decided, contexts };
    call = decided.call;
  }
  return { call, contexts, refusal: ENDLESSLY_REWRITTEN };
}

/** What the rounds of one decision share. */
interface Deciding {
  /** Whether there is such a tool, and it may be called here. */
  readonly isKnown: boolean;
  /** For the conversation. */
  readonly contexts: string[];
  /** What the person was given to read. */
  readonly noticed: Set<string>;
  /** The call that a person has allowed. */
  allowed?: HookToolCall;
}

interface Round extends Omit<DecidedCall, 'contexts'> {
  /** Whether it is to be decided on anew: its arguments are others now, or the hooks are. */
  readonly isOpen?: true;
}

async function decideOnce(view: ThreadView, requested: HookToolCall, deciding: Deciding): Promise<Round> {
  const scope = findGuards(view, requested);
  const verdict = await view.core.runtime.executor.run('before_tool_call', scope, view, requested);
  const { subject: call, result } = verdict;
  await passOn(view, verdict, deciding);
  if (verdict.decision === 'deny') return { call, refusal: describeDenial(verdict) };
  const answered = result === undefined ? { call } : { call, result };
  await refreshMode(view.core);
  const next = deciding.isKnown ? afterHooks(view, verdict) : 'run';
  if (next === 'run') return answered;
  if (next === 'deny') return { call, refusal: MODE_DENIES };
  return { ...answered, ...(await permission(view, verdict, deciding)) };
}

const TERMINATED = 'This tool call was denied: the thread was terminated before it ran.';

const MODE_DENIES =
  'This tool call was denied: the permission mode of the thread is "deny", and no hook allows it.';

const MODE_ASKS = 'The permission mode of the thread is "ask".';

/** What becomes of a call that hooks did not deny. One that a hook has answered runs nothing. */
function afterHooks(view: ThreadView, verdict: Verdict<HookToolCall>): 'run' | 'ask' | 'deny' {
  const { decision, result, subject } = verdict;
  if (decision === 'ask') return 'ask';
  if (decision === 'allow' || result !== undefined) return 'run';
  return withoutHooks(view, subject);
}

/** What becomes of a call that no hook has decided on. */
function withoutHooks({ core }: ThreadView, call: HookToolCall): 'run' | 'ask' | 'deny' {
  const { mode } = core.session;
  if (mode !== 'default') return mode === 'allow' ? 'run' : mode;
  return core.runtime.catalog.tools.get(call.function.name)?.permission === 'ask' ? 'ask' : 'run';
}

async function permission(
  view: ThreadView,
  asking: Verdict<HookToolCall>,
  deciding: Deciding,
): Promise<Round> {
  const { runtime, session } = view.core;
  const { subject: toolCall } = asking;
  const { scope } = view.core;
  const guards = findGuards(view, toolCall);
  const isAskedByMode = asking.decision === null && session.mode === 'ask';
  const reason = asking.reason ?? (isAskedByMode ? MODE_ASKS : undefined);
  const request: PermissionRequest = reason === undefined ? { toolCall } : { toolCall, reason };
  const verdict = await runtime.executor.run('before_permission_request', guards, view, request);
  const call = verdict.subject.toolCall;
  const { decision, result } = verdict;
  await passOn(view, verdict, deciding);
  if (decision === 'deny') return { call, refusal: describeDenial(verdict) };
  if (call.function.arguments !== toolCall.function.arguments) return { call, isOpen: true };
  const answered = result === undefined ? { call } : { call, result };
  if (decision === 'allow' || (decision === null && result !== undefined)) return answered;
  if (deciding.allowed?.function.arguments === call.function.arguments) return answered;
  const { mode } = session;
  const refusal = await askAbout(view, call, {
    reason: verdict.reason ?? reason,
    userMessage: verdict.userMessage ?? asking.userMessage,
  });
  if (refusal !== undefined)
    return { call, refusal: describeDenial({ reason: refusal }), isRefusedByPerson: true };
  deciding.allowed = call;
  await refreshMode(view.core);
  if (session.mode === 'deny' && mode !== 'deny') return { call, refusal: MODE_DENIES };
  return view.core.scope === scope ? answered : { call, isOpen: true };
}

/** Asks a person about a call. They see the arguments that the tool will get; events have them as they are stored. */
async function askAbout(
  view: ThreadView,
  call: HookToolCall,
  why: Pick<PermissionAsk, 'reason' | 'userMessage'>,
): Promise<string | undefined> {
  const { name } = call.function;
  const tool = view.core.runtime.catalog.tools.get(name);
  const given = tool === undefined ? call : await restoreForTool(view, tool, call);
  const ask = { about: 'tool_call', toolCallId: call.id, tool: name, ...why } as const;
  return askPerson(view, { ...ask, input: parseArguments(call) }, { ...ask, input: parseArguments(given) });
}

/**
 * What hooks have for the conversation, and for the person to read: that is told once, however often hooks say it, and
 * where the person is asked, it comes with the question.
 */
async function passOn(
  view: ThreadView,
  { decision, context, userMessage }: Verdict,
  { contexts, noticed }: Deciding,
): Promise<void> {
  contexts.push(...context);
  if (userMessage === undefined || decision === 'ask' || noticed.has(userMessage)) return;
  noticed.add(userMessage);
  await notify(view, { kind: 'notice', message: userMessage });
}
