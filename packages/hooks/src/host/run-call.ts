import { RunError } from '../errors.ts';
import { findFiringSignal } from '../executor/aborts.ts';
import { sameRecord } from '../shapes/same.ts';
import { parseArguments } from '../tool-arguments.ts';
import type { HookToolCall, HookToolResult } from '../vocabulary/messages.ts';
import { makeErrorResult, makeThrownResult, toResult } from './answers.ts';
import { type CallDecision, type DecideCallOptions, decideCall } from './decide-call.ts';
import type { TurnChains } from './turn-chains.ts';
import { untilAborted } from './until-aborted.ts';

/** A tool: gets the arguments with the values that hooks put back (`restore`), and the call as it is stored. */
export type Tool = (input: Record<string, unknown>, call: HookToolCall) => unknown;

export interface RunCallOptions extends Omit<DecideCallOptions, 'askLater'> {
  /** What `decideCall` has decided on this call already. Default: it is decided on now. */
  readonly decided?: CallDecision | undefined;
  /** Checks arguments that a hook may have rewritten. Gives the arguments for the tool, or why they do not fit. @param json the same, as text */
  readonly validate?: (
    input: Record<string, unknown>,
    json: string,
  ) => Promise<{ readonly input: Record<string, unknown> } | { readonly misfit: string }>;
}

/** What came of a tool call. */
export interface CallOutcome {
  /** `run`: the tool was called. */
  readonly outcome: 'run' | 'answered' | 'denied';
  /** With the rewrites of hooks. */
  readonly call: HookToolCall;
  /** What may be stored, and what the model gets. */
  readonly result: HookToolResult;
  /** What the tool returned, where no hook has changed its result. */
  readonly returned?: { readonly value: unknown } | undefined;
}

/** Takes one call from its request to the result that may be stored. Always gives an answer. */
export async function runCall(
  turn: TurnChains,
  requested: HookToolCall,
  { tool, ...options }: RunCallOptions & { readonly tool: Tool },
): Promise<CallOutcome> {
  const decided = options.decided ?? (await decideCall(turn, requested, options));
  const { call } = decided;
  if (decided.outcome !== 'run') {
    const result = await passToStore(turn, call, answerWithoutTool(decided));
    return { outcome: decided.outcome === 'answered' ? 'answered' : 'denied', call, result };
  }
  const { value, first } = await execute(turn, call, { tool, ...options });
  const result = await passResult(turn, call, first);
  const isSame = value !== undefined && isSameResult(result, first);
  return { outcome: 'run', call, result, ...(isSame ? { returned: value } : {}) };
}

/** As JSON has them. A long text is most of a result, and is not written as JSON only to be compared. */
function isSameResult(result: HookToolResult, first: HookToolResult): boolean {
  if (sameRecord(result, first)) return true;
  return result.result === first.result && JSON.stringify(result) === JSON.stringify(first);
}

function answerWithoutTool({ result, reason }: CallDecision): HookToolResult {
  return result ?? makeErrorResult(reason ?? 'This tool call was denied.');
}

/** What a tool answered, through the hooks that see results. */
export async function passResult(
  turn: TurnChains,
  call: HookToolCall,
  first: HookToolResult,
): Promise<HookToolResult> {
  const hook = first.status === 'success' ? 'after_tool_call_success' : 'after_tool_call_failure';
  return passToStore(turn, call, turn.has(hook) ? await turn.run(hook, call, first) : first);
}

async function passToStore(
  turn: TurnChains,
  call: HookToolCall,
  result: HookToolResult,
): Promise<HookToolResult> {
  if (!turn.has('before_store_tool_result')) return result;
  const row = await turn.run('before_store_tool_result', { ...call }, { ...result });
  return row as unknown as HookToolResult;
}

interface Executed {
  readonly first: HookToolResult;
  /** Absent where the tool did not return. */
  readonly value?: { readonly value: unknown };
}

/** Puts values back, checks the arguments and calls the tool. Whatever throws is an answer too. */
async function execute(
  turn: TurnChains,
  call: HookToolCall,
  { tool, validate }: RunCallOptions & { readonly tool: Tool },
): Promise<Executed> {
  try {
    const restored = await turn.restore(call);
    const input = parseArguments(restored);
    if (input === undefined)
      return { first: makeErrorResult('The arguments of this call are no valid JSON object.') };
    const checked = validate === undefined ? { input } : await validate(input, restored.function.arguments);
    if ('misfit' in checked) return { first: makeErrorResult(checked.misfit) };
    const signal = findFiringSignal(turn.state.execution);
    const value: unknown = await untilAborted(tool(checked.input, call), signal, 'its tools ran');
    return { first: toResult(value), value: { value } };
  } catch (error) {
    if (error instanceof RunError && error.code === 'aborted') throw error;
    return { first: makeThrownResult(error) };
  }
}
