import type { CompactionInfo, Decision, PermissionRequest, StopInfo } from './control.ts';
import type { HookToolCall } from './messages.ts';
import { ShapeProblem } from './shapes/index.ts';
import { nameOfSort } from './shapes/record.ts';
import type { NewMessage } from './state.ts';

/** How a decide hook's answer is read, and how a rewritten input changes what is decided on. */
export interface DecideRow<S> {
  /** @throws {ShapeProblem} where the answer is no decision. */
  read(returned: unknown): Decision | null;
  /** @throws {ShapeProblem} where the input does not fit the subject. */
  rewrite(subject: S, input: NonNullable<Decision['input']>): S;
}

const words = new Set<unknown>([undefined, 'allow', 'deny', 'ask']);

function readDecision(returned: unknown): Decision | null {
  if (returned === null || returned === undefined) return null;
  if (typeof returned !== 'object' || Array.isArray(returned)) {
    throw new ShapeProblem(`expected a decision or null, got ${nameOfSort(returned)}`);
  }
  const decision = returned as Decision;
  if (!words.has(decision.decision)) throw new ShapeProblem("decision must be 'allow', 'deny', 'ask' or absent");
  for (const field of ['reason', 'userMessage'] as const) {
    if (decision[field] !== undefined && typeof decision[field] !== 'string') throw new ShapeProblem(`${field} must be a string`);
  }
  return decision;
}

function readKeepGoing(returned: unknown): Decision | null {
  if (returned === null || returned === undefined) return null;
  const reason = (returned as { keepGoing?: unknown }).keepGoing;
  if (typeof reason !== 'string') throw new ShapeProblem('expected { keepGoing: string } or null');
  return { decision: 'deny', reason };
}

function refuseRewrite(): never {
  throw new ShapeProblem('this hook has no input that could be rewritten');
}

function withArguments(call: HookToolCall, input: NonNullable<Decision['input']>): HookToolCall {
  if (typeof input !== 'object' || Array.isArray(input)) throw new ShapeProblem('input must be an object: the arguments of the call');
  return { ...call, function: { ...call.function, arguments: JSON.stringify(input) } };
}

export const overToolCall: DecideRow<HookToolCall> = { read: readDecision, rewrite: withArguments };

export const overPermission: DecideRow<PermissionRequest> = {
  read: readDecision,
  rewrite: (request, input) => ({ ...request, toolCall: withArguments(request.toolCall, input) }),
};

export const overUserMessage: DecideRow<NewMessage> = {
  read: readDecision,
  rewrite: (message, input) => {
    if (typeof input !== 'string') throw new ShapeProblem('input must be a string: the text of the message');
    return { ...message, content: input };
  },
};

export const overStop: DecideRow<StopInfo> = { read: readKeepGoing, rewrite: refuseRewrite };
export const overCompaction: DecideRow<CompactionInfo> = { read: readDecision, rewrite: refuseRewrite };
