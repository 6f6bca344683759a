import type { Tool } from '@mastra/core/tools';
import type { CallDecision } from '@spec/hooks/host';

/** What runs a tool. */
export type Execute = NonNullable<Tool['execute']>;
/** What Mastra tells a tool besides its arguments. */
export type Context = Parameters<Execute>[1];
/** The agent that calls a tool. */
export type AgentContext = NonNullable<Context['agent']>;

/**
 * What a run is suspended with while a person thinks. Resume it with `{ approved: true, approvalId }`, or `{ approved: false, reason }`. Mastra
 * hands one answer to every call that waits, so an approval names the one that was shown.
 */
export interface AskPayload {
  readonly ask: 'approval';
  readonly approvalId: string;
  readonly toolCallId: string;
  /** What is approved, letter by letter: with other arguments the call is asked about again. */
  readonly arguments: string;
  readonly tool: string;
  readonly input: unknown;
  readonly reason?: string | undefined;
  readonly userMessage?: string | undefined;
}

/** What a person answered to our question. */
export interface PersonAnswer {
  /** The arguments that they approved. */
  readonly allowed?: string | undefined;
  /** Why the call is refused; nothing where it is to be asked about. */
  readonly refusal?: string | undefined;
}

export interface Resumed {
  readonly answer?: PersonAnswer;
  /** The context without the answer. */
  readonly given: Context;
  /** Whether the tool has suspended the run by itself. A model can put `resumeData` among its arguments, but no `suspendPayload`. */
  readonly hasSuspended: boolean;
}

export function readResumed(context: Context): Resumed {
  const { agent } = context;
  const payload = (agent as { suspendPayload?: Partial<AskPayload> } | undefined)?.suspendPayload;
  if (agent?.resumeData === undefined || payload?.ask !== 'approval')
    return { given: context, hasSuspended: agent?.resumeData !== undefined && payload !== undefined };
  const { resumeData, ...rest } = agent;
  const given: Context = { ...context, agent: { ...rest, suspendPayload: undefined } as AgentContext };
  return { answer: readAnswer(resumeData, payload), given, hasSuspended: false };
}

const UNNAMED =
  'The approval does not name the call that it is for: resume with { approved: true, approvalId }, where approvalId is that of the suspendPayload.';

/** Anything else than an approval that names this call refuses; one that names another leaves it waiting. */
function readAnswer(resumed: unknown, payload: Partial<AskPayload>): PersonAnswer {
  const { approved, approvalId, reason } = (resumed ?? {}) as Readonly<Record<string, unknown>>;
  if (approvalId !== undefined && approvalId !== payload.approvalId) return {};
  if (approved !== true) return { refusal: typeof reason === 'string' ? reason : (payload.reason ?? '') };
  return approvalId === undefined ? { refusal: UNNAMED } : { allowed: payload.arguments };
}

/** Where nobody has answered about these arguments yet, the run is suspended; where it cannot be, the call is denied. */
export function readRefusal(
  { call, reason = '' }: CallDecision,
  answer: PersonAnswer | undefined,
  agent: AgentContext | undefined,
): CallDecision | 'suspend' {
  const { refusal } = answer ?? {};
  if (refusal === undefined && agent?.suspend !== undefined) return 'suspend';
  const why = refusal ?? reason;
  const because = why === '' ? '.' : `: ${why}`;
  return { outcome: 'denied', call, reason: `This tool call was denied. Permission was refused${because}` };
}

export async function suspendFor(
  { call, reason, userMessage }: CallDecision,
  agent: AgentContext,
): Promise<void> {
  const { name: tool, arguments: json } = call.function;
  const payload: AskPayload = {
    ...{ ask: 'approval', approvalId: crypto.randomUUID(), toolCallId: call.id, arguments: json },
    ...{ tool, input: JSON.parse(json) as unknown, reason, userMessage },
  };
  await agent.suspend(payload);
}
