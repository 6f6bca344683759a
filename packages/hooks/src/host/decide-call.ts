import { describeDenial, ENDLESSLY_REWRITTEN } from '../denial.ts';
import { MAX_DECISION_ROUNDS } from '../strictness.ts';
import { parseArguments } from '../tool-arguments.ts';
import type { Verdict } from '../vocabulary/lifecycle.ts';
import type { HookToolCall, HookToolResult } from '../vocabulary/messages.ts';
import { askPerson } from './person.ts';
import type { TurnChains } from './turn-chains.ts';

/** What was decided on a tool call, by hooks and persons. */
export interface CallDecision {
  /** `ask`: a person must be asked first, and this place asks them in its own way. */
  readonly outcome: 'run' | 'answered' | 'denied' | 'ask';
  /** With the rewrites of hooks. */
  readonly call: HookToolCall;
  /** Whether a hook or a person has allowed it, so that nobody has to be asked any more. */
  readonly isAllowed?: true;
  /** Why it was denied, in words for the model; why it is asked about. */
  readonly reason?: string | undefined;
  /** What hooks have for the person. */
  readonly userMessage?: string | undefined;
  /** What answers the call in the place of the tool. */
  readonly result?: HookToolResult | undefined;
}

export interface DecideCallOptions {
  /** Whether the tool itself wants a person to be asked where no hook has decided. Frameworks take any value for a yes that is truthy; so does this. */
  readonly needsPermission?: boolean;
  /** The arguments, as JSON, that a person has allowed for this call: it is not asked about again while it has these. */
  readonly allowed?: string | undefined;
  /** Give `ask` back instead of asking: for places that stop and go on when the person has answered. */
  readonly askLater?: boolean;
}

/**
 * Decides on a tool call: `before_tool_call` decides; where that asks, or the tool does and no hook has decided,
 * `before_permission_request` answers for the person, else the person does. A call that was rewritten for permission is decided on anew, and
 * what a person allowed is what runs. An ask that nobody can answer is a deny.
 */
export async function decideCall(
  turn: TurnChains,
  requested: HookToolCall,
  options: DecideCallOptions = {},
): Promise<CallDecision> {
  let call = requested;
  for (let round = 0; round <= MAX_DECISION_ROUNDS; round++) {
    const { isOpen, ...decided } = await decideOnce(turn, call, options);
    if (!isOpen) return decided;
    call = decided.call;
  }
  return { outcome: 'denied', call, reason: ENDLESSLY_REWRITTEN };
}

interface Round extends CallDecision {
  /** Whether its arguments are others now, and are to be decided on anew. */
  readonly isOpen?: true;
}

async function decideOnce(
  turn: TurnChains,
  requested: HookToolCall,
  options: DecideCallOptions,
): Promise<Round> {
  const verdict = await turn.run('before_tool_call', requested);
  const { decision, subject: call, result } = verdict;
  await turn.passOn(verdict);
  if (decision === 'deny') return deny(call, verdict);
  const isUndecided = decision === null && result === undefined;
  if (decision === 'ask' || (isUndecided && Boolean(options.needsPermission)))
    return askPermission(turn, verdict, options);
  return run(call, result, decision === 'allow');
}

async function askPermission(
  turn: TurnChains,
  asking: Verdict<HookToolCall>,
  options: DecideCallOptions,
): Promise<Round> {
  const { subject: toolCall, reason, result: answered } = asking;
  const request = reason === undefined ? { toolCall } : { toolCall, reason };
  const verdict = await turn.run('before_permission_request', request);
  const { decision, result = answered } = verdict;
  const call = verdict.subject.toolCall;
  await turn.passOn(verdict);
  if (decision === 'deny') return deny(call, verdict);
  if (call.function.arguments !== toolCall.function.arguments) return { outcome: 'run', call, isOpen: true };
  const isAnswered = decision === null && verdict.result !== undefined;
  if (decision === 'allow' || isAnswered || options.allowed === call.function.arguments)
    return run(call, result, true);
  const why = {
    reason: verdict.reason ?? reason,
    userMessage: verdict.userMessage ?? asking.userMessage,
  };
  if (options.askLater === true) return { outcome: 'ask', call, result, ...why };
  const refusal = await askAbout(turn, call, why);
  if (refusal === undefined) return run(call, result, true);
  return { outcome: 'denied', call, reason: describeDenial({ reason: refusal }) };
}

/** The person sees the arguments that the tool would get. */
async function askAbout(
  turn: TurnChains,
  call: HookToolCall,
  why: Pick<CallDecision, 'reason' | 'userMessage'>,
): Promise<string | undefined> {
  const { threadId, execution } = turn.state;
  const given = await turn.restore(call);
  return askPerson(turn.onAsk, {
    ...{ about: 'tool_call', threadId, toolCallId: call.id, tool: call.function.name, ...why },
    input: parseArguments(given),
    abortSignal: execution.abortSignal,
  });
}

function run(call: HookToolCall, result: HookToolResult | undefined, isAllowed: boolean): Round {
  if (result !== undefined) return { outcome: 'answered', call, result };
  return { outcome: 'run', call, ...(isAllowed ? { isAllowed } : {}) };
}

function deny(call: HookToolCall, verdict: Verdict): Round {
  return { outcome: 'denied', call, reason: describeDenial(verdict), userMessage: verdict.userMessage };
}
