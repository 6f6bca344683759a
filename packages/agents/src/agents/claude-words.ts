import { type AgentEvent, type Answer, type Moment, type Output, silence, writeJson } from '../agent.ts';

/** Begins the reason with what the agent cannot do, so that nobody takes it for a judgement. */
export function denyFor(what: string, { reason }: Answer): Answer {
  return { decision: 'deny', reason: `${what}${reason === undefined ? '' : ` ${reason}`}` };
}

export const NO_ASK = 'A person must allow this call first, and this agent cannot ask one here.';
export const NO_REWRITE =
  'A hook changed the arguments of this call, and this agent would run it with the old ones.';

/** The fields that all events of Claude Code and its relatives accept. */
function writeSpecific(event: string, { userMessage, ...answer }: Specific): Output {
  const specific = Object.values(answer).some((value) => value !== undefined)
    ? { hookEventName: event, ...answer }
    : undefined;
  return writeJson({ systemMessage: userMessage, hookSpecificOutput: specific });
}

interface Specific extends Readonly<Record<string, unknown>> {
  readonly userMessage?: string | undefined;
}

/** Before a tool: deny, ask, allow, new arguments, context. */
export function writeToolCall(answer: Answer, event: string): Output {
  const { decision, reason, input, context, userMessage } = answer;
  return writeSpecific(event, {
    // New arguments count only with a decision; `ask` shows them to the person.
    permissionDecision: decision ?? (input === undefined ? undefined : 'allow'),
    permissionDecisionReason: decision === undefined ? undefined : reason,
    updatedInput: decision === 'deny' ? undefined : input,
    additionalContext: context,
    userMessage,
  });
}

/** When the agent would ask a person: allow, deny. */
export function writePermission({ decision, reason, input, userMessage }: Answer, event: string): Output {
  if (decision === 'deny')
    return writeSpecific(event, { decision: { behavior: 'deny', message: reason }, userMessage });
  if (decision !== 'allow') return writeSpecific(event, { userMessage });
  return writeSpecific(event, { decision: { behavior: 'allow', updatedInput: input }, userMessage });
}

/** After a tool: context. */
export function writeContext({ context, userMessage }: Answer, event: string): Output {
  return writeSpecific(event, { additionalContext: context, userMessage });
}

/** After a tool: context, and another result. */
function writeResult({ context, result, userMessage }: Answer, event: string): Output {
  return writeSpecific(event, { additionalContext: context, updatedToolOutput: result, userMessage });
}

/** A prompt: deny, context. */
export function writePrompt(answer: Answer, event: string): Output {
  const { decision, reason, userMessage } = answer;
  if (decision === 'deny') return writeJson({ decision: 'block', reason: userMessage ?? reason });
  return writeContext(answer, event);
}

/** The end of a turn: go on, with a reason. */
export function writeStop({ decision, reason, userMessage }: Answer): Output {
  if (decision !== 'deny') return writeJson({ systemMessage: userMessage });
  return writeJson({ decision: 'block', reason, systemMessage: userMessage });
}

/** Nothing that a hook says counts here. */
export function writeNothing(): Output {
  return silence;
}

/** The events by their Claude Code names, for agents that adopted those names. */
export function pickEvents(
  events: Readonly<Record<string, Moment | AgentEvent>>,
  write: Readonly<Record<Moment, AgentEvent['write']>>,
): Readonly<Record<string, AgentEvent>> {
  const rows = Object.entries(events).map(([name, event]) => [
    name,
    typeof event === 'string' ? { moment: event, write: write[event] } : event,
  ]);
  return Object.fromEntries(rows);
}

/** How Claude Code takes each answer. */
export const claudeWords: Readonly<Record<Moment, AgentEvent['write']>> = {
  tool_call: writeToolCall,
  permission: writePermission,
  tool_result: writeResult,
  tool_failure: writeContext,
  tool_batch: writeContext,
  prompt: writePrompt,
  stop: writeStop,
  compaction: ({ decision, reason = '' }) =>
    decision === 'deny' ? { stdout: '', stderr: reason, code: 2 } : silence,
  session_start: writeContext,
  subagent_start: writeContext,
  session_end: writeNothing,
  notification: writeNothing,
};
