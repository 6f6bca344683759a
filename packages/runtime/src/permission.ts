import type { HookToolCall, HookToolResult, PermissionRequest, Verdict } from '@spec/hooks';
import { isAborted, unlessAborted } from './aborted.ts';
import type { ThreadView } from './thread-view.ts';
import { parseArguments } from './tool-answers.ts';

/** What a person is asked: whether a tool call may run, or a message of the user may be sent. */
export type PermissionAsk = {
  readonly threadId: string;
  /** Why it is asked: the reason of the hook that asked. */
  readonly reason: string | undefined;
  /** Aborted when the answer is no longer needed. */
  readonly abortSignal: AbortSignal;
} & (
  | {
      readonly about: 'tool_call';
      readonly toolCallId: string;
      readonly tool: string;
      readonly input: unknown;
    }
  | { readonly about: 'user_message'; readonly text: string }
);

/** Asks a person; `true` allows it, anything else refuses it. */
export type AskPerson = (ask: PermissionAsk) => Promise<boolean> | boolean;

/** What was decided on a tool call, by hooks and persons. */
export interface DecidedCall {
  /** The call with the rewrites of hooks. */
  readonly call: HookToolCall;
  /** Why it may not run. */
  readonly refusal?: string;
  /** Answers the call without running the tool. */
  readonly result?: HookToolResult;
  /** For the conversation. */
  readonly contexts: readonly string[];
}

/** How often `before_tool_call` is asked again because `before_permission_request` rewrote the call. */
const MAX_ROUNDS = 3;

/**
 * Decides on a tool call (design §4.2): `before_tool_call`, and where that or the tool asks, `before_permission_request`
 * and then a person. A call that was rewritten for permission is decided on anew, so that no rewrite gets past a deny.
 */
export async function decideCall(
  view: ThreadView,
  requested: HookToolCall,
  round: number = 0,
): Promise<DecidedCall> {
  const { runtime, scope } = view.core;
  const verdict = await runtime.executor.run('before_tool_call', scope, view, requested);
  const { subject: call, context: contexts, result } = verdict;
  if (verdict.decision === 'deny') return { call, contexts, refusal: deniedText(verdict) };
  const decided: DecidedCall = result === undefined ? { call, contexts } : { call, contexts, result };
  if (!mustAsk(view, verdict)) return decided;

  const { call: permitted, refusal, ...asked } = await permission(view, verdict);
  const all: DecidedCall = {
    ...decided,
    ...asked,
    call: permitted,
    contexts: [...contexts, ...asked.contexts],
  };
  if (refusal !== undefined) return { ...all, refusal };
  if (permitted.function.arguments === call.function.arguments) return all;
  if (round < MAX_ROUNDS) return decideCall(view, permitted, round + 1);
  return {
    ...all,
    refusal: `This tool call was denied: its arguments were rewritten again and again, ${MAX_ROUNDS} times.`,
  };
}

function mustAsk(view: ThreadView, { decision, subject }: Verdict<HookToolCall>): boolean {
  if (decision !== null) return decision === 'ask';
  return view.core.runtime.catalog.tools.get(subject.function.name)?.permission === 'ask';
}

async function permission(
  view: ThreadView,
  { subject: toolCall, reason }: Verdict<HookToolCall>,
): Promise<DecidedCall> {
  const { runtime, scope } = view.core;
  const request: PermissionRequest = reason === undefined ? { toolCall } : { toolCall, reason };
  const verdict = await runtime.executor.run('before_permission_request', scope, view, request);
  const { subject, context: contexts, result } = verdict;
  const decided: DecidedCall = {
    call: subject.toolCall,
    contexts,
    ...(result === undefined ? {} : { result }),
  };
  if (verdict.decision === 'deny') return { ...decided, refusal: deniedText(verdict) };
  if (verdict.decision === 'allow') return decided;
  const { id: toolCallId, function: called } = subject.toolCall;
  const ask = {
    about: 'tool_call',
    toolCallId,
    tool: called.name,
    input: parseArguments(subject.toolCall),
  } as const;
  const refusal = await askPerson(view, { ...ask, reason: verdict.reason ?? reason });
  if (refusal === undefined) return decided;
  return { ...decided, refusal: `This tool call was denied. ${refusal}` };
}

type Ask<A> = A extends unknown ? Omit<A, 'threadId' | 'abortSignal'> : never;

/** Why a person does not allow it; nothing where one does. An ask that nobody can answer is a deny. @throws {RunError} `aborted` */
export async function askPerson(view: ThreadView, ask: Ask<PermissionAsk>): Promise<string | undefined> {
  const { onAsk } = view.core.runtime;
  if (onAsk === undefined) return because('It needs permission, and there is nobody to ask', ask.reason);
  const { abortSignal } = view.execution;
  try {
    const question = { ...ask, threadId: view.threadId, abortSignal } as PermissionAsk;
    const answer = await unlessAborted(abortSignal, 'a person was asked', () => onAsk(question));
    return answer === true ? undefined : because('Permission was refused', ask.reason);
  } catch (error) {
    if (isAborted(error)) throw error;
    return because('Asking for permission failed', ask.reason);
  }
}

function because(what: string, reason: string | undefined): string {
  return reason === undefined ? `${what}.` : `${what}: ${reason}`;
}

function deniedText({ by, reason }: Verdict): string {
  return `This tool call was denied${by === null ? '' : ` by ${by}`}.${reason === undefined ? '' : ` ${reason}`}`;
}
