// Scripts: run the code of a rule in a sandboxed worker, within the limits that `script-worker.ts` sets. The hooks of the rules call it; a script never runs in the thread of the application.

import { AsyncLocalStorage } from 'node:async_hooks';
import { type HookPermit, type HookToolResult, hookPermit, RunError, type ThreadState } from '@spec/hooks';
import { z } from 'zod';
import type { RuleAnswer, RuleOccasion, ScriptAnswer } from '../evaluate.ts';
import { gates, type RuleEvent } from '../events.ts';
import type { Rule } from '../rule.ts';
import type { Sandbox } from './sandbox.ts';
import type { ScriptEnd } from './script-run.ts';

/** What runs the scripts of rules. */
export interface ScriptHost {
  readonly sandbox: Sandbox;
  /** Milliseconds of running time of each script. */
  readonly deadline: number;
  /** Gets what scripts log. Must not throw. */
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

/** How many tools a script may call, together with the scripts that run because of those calls. */
const MAX_CALLS = 100;

/** A script and all those that run inside its tool calls. */
interface ScriptTree {
  readonly level: number;
  readonly calls: { count: number };
}

const around = new AsyncLocalStorage<ScriptTree>();

/**
 * Runs the script of a rule (rules and scripts, "Writing Hook Scripts"). The clocks of the hooks around it stand still meanwhile: the
 * sandbox ends it in time, and waiting for a worker or for tools is not its fault.
 */
export async function runRuleScript(
  { sandbox, deadline, onLog }: ScriptHost,
  { rule, occasion, state }: { rule: Rule; occasion: RuleOccasion; state: ThreadState },
): Promise<ScriptAnswer> {
  const { event, ...variables } = occasion;
  const tree = around.getStore() ?? { level: 0, calls: { count: 0 } };
  const resume = (state as { [hookPermit]?: HookPermit })[hookPermit]?.pauseClock();
  try {
    const request = {
      code: rule.script ?? '',
      variables: { type: types[event], ...variables },
      deadline,
      callTool: (name: string, input: Record<string, unknown>) => callTool(state, tree, { name, input }),
      onLog: (line: string) => onLog(rule, line),
      signal: state.execution.abortSignal,
    };
    const end = await sandbox.run(request, tree.level);
    return end.type === 'done' ? read(end.value, event) : failure(end, deadline);
  } finally {
    resume?.();
  }
}

/** A tool, through the same hooks as a call of the model. */
async function callTool(
  state: ThreadState,
  { level, calls }: ScriptTree,
  { name, input }: { name: string; input: Record<string, unknown> },
): Promise<{ content: string; is_error?: true }> {
  if (++calls.count > MAX_CALLS) {
    const message = `A script, and those that run inside its calls, may call at most ${MAX_CALLS} tools together.`;
    throw new RunError('depth_exceeded', message);
  }
  const within = { level: level + 1, calls };
  return toToolResult(await around.run(within, () => state.invokeTool(name, input)));
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
  if (decision !== undefined && !gates.includes(event)) return `at ${event} nothing is left to decide`;
  if (decision === 'ask' && event === 'Stop') return 'at Stop nobody is asked: it is "deny" or "allow"';
  if (input === undefined) return undefined;
  if (event === 'PreToolUse')
    return typeof input === 'object' ? undefined : 'input must be an object: the input of the tool';
  if (event === 'UserPromptSubmit')
    return typeof input === 'string' ? undefined : 'input must be a string: the text of the message';
  return `at ${event} there is no input to rewrite`;
}

const whys = {
  threw: 'the script threw an error',
  never_settles: 'the script waits for something that never comes',
  crashed: 'the script broke the sandbox, or used up its memory',
  given_too_much: 'what the script would be given is too long for it',
};

function failure(
  { code, message, line }: Extract<ScriptEnd, { type: 'failed' }>,
  deadline: number,
): ScriptAnswer {
  if (code === 'aborted') return { failed: 'aborted', why: 'the hook was ended', message: 'it was ended.' };
  if (code === 'timed_out') {
    const why = `the script ran longer than its ${deadline} ms`;
    return { failed: 'timed_out', why, message: `${why}.` };
  }
  const why = line === undefined ? whys[code] : `${whys[code]} in line ${line}`;
  const unrun = code === 'given_too_much' ? { isUnrun: true as const } : {};
  return { failed: 'failed', why, message: message ?? `${why}.`, ...unrun };
}
