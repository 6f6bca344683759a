import { type HookPermit, type HookToolResult, hookPermit, type ThreadState } from '@spec/hooks';
import { z } from 'zod';
import type { RuleAnswer, RuleOccasion, ScriptAnswer } from '../evaluate.ts';
import type { Rule, RuleEvent } from '../rule.ts';
import type { Sandbox, ScriptEnd } from './sandbox.ts';

/** What runs the scripts of rules. */
export interface ScriptHost {
  readonly sandbox: Sandbox;
  /** Milliseconds of running time of each script. */
  readonly deadline: number;
  /** Gets what scripts log. */
  onLog(rule: Rule, line: string): void;
}

const types: { readonly [Event in RuleEvent]: string } = {
  PreToolUse: 'pre_tool_use',
  PostToolUse: 'post_tool_use',
  UserPromptSubmit: 'user_prompt_submit',
  Stop: 'stop',
  AgentStart: 'agent_start',
  AgentEnd: 'agent_end',
};

/** What a script may return; anything else is an invalid result, so that a misspelt decision lets nothing pass. */
const returned = z
  .strictObject({
    decision: z.enum(['allow', 'deny', 'ask']).optional(),
    reason: z.string().optional(),
    input: z.union([z.record(z.string(), z.unknown()), z.string()]).optional(),
    context: z.string().optional(),
  })
  .nullish();

/** Runs the script of a rule (rules and scripts, "Writing Hook Scripts"). */
export async function runRuleScript(
  { sandbox, deadline, onLog }: ScriptHost,
  { rule, occasion, state }: { rule: Rule; occasion: RuleOccasion; state: ThreadState },
): Promise<ScriptAnswer> {
  const { event, ...variables } = occasion;
  const end = await sandbox.run({
    code: rule.script ?? '',
    variables: { type: types[event], ...variables },
    deadline,
    callTool: (name, input) => callTool(state, name, input),
    onLog: (line) => onLog(rule, line),
    signal: state.execution.abortSignal,
  });
  return end.type === 'done' ? read(end.value, event) : failure(end, deadline);
}

/** A tool, through the same hooks as a call of the model; the clocks of the hooks around it stand still meanwhile. */
async function callTool(
  state: ThreadState,
  name: string,
  input: Record<string, unknown>,
): Promise<{ content: string; is_error?: true }> {
  const resume = (state as { [hookPermit]?: HookPermit })[hookPermit]?.pauseClock();
  try {
    return toToolResult(await state.invokeTool(name, input));
  } finally {
    resume?.();
  }
}

/** A tool's result in the words of scripts. */
export function toToolResult({ status, result, error }: HookToolResult): {
  content: string;
  is_error?: true;
} {
  return status === 'success' ? { content: result ?? '' } : { content: error ?? '', is_error: true };
}

function read(value: unknown, event: RuleEvent): ScriptAnswer {
  const parsed = returned.safeParse(value);
  const why = parsed.success
    ? whyNot(parsed.data ?? {}, event)
    : 'a script returns nothing, or { decision, reason, input, context }';
  if (why !== undefined) return { failed: 'invalid_result', why, message: `${why}.` };
  return { answer: (parsed.data ?? {}) as RuleAnswer };
}

/** Why an answer does not fit the event. */
function whyNot({ decision, input }: RuleAnswer, event: RuleEvent): string | undefined {
  const isGate = event === 'PreToolUse' || event === 'UserPromptSubmit' || event === 'Stop';
  if (decision !== undefined && !isGate) return `at ${event} nothing is left to decide`;
  if (input === undefined) return undefined;
  if (event === 'PreToolUse')
    return typeof input === 'object' ? undefined : 'input must be an object: the input of the tool';
  if (event === 'UserPromptSubmit')
    return typeof input === 'string' ? undefined : 'input must be a string: the text of the message';
  return `at ${event} there is no input to rewrite`;
}

function failure(end: Extract<ScriptEnd, { type: 'failed' }>, deadline: number): ScriptAnswer {
  const { code } = end;
  if (code === 'timed_out') {
    const why = `the script ran longer than its ${deadline} ms`;
    return { failed: 'timed_out', why, message: `${why}.` };
  }
  if (code === 'aborted') return { failed: 'aborted', why: 'the hook was ended', message: 'it was ended.' };
  const whys = {
    threw: 'the script threw an error',
    never_settles: 'the script waits for something that never comes',
    crashed: 'the script broke the sandbox, or used up its memory',
  };
  return { failed: 'failed', why: whys[code], message: end.message ?? `${whys[code]}.` };
}
