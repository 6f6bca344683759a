import { interrupt } from '@langchain/langgraph';
import type { CallDecision } from '@spec/hooks/host';
import type { HITLRequest } from 'langchain';

/**
 * Asks a person by an interrupt, in the form of LangChain's own `humanInTheLoopMiddleware`, whose answers it takes. The graph stops here; when it
 * is resumed it comes here again, and goes on with the answer.
 */
export function askByInterrupt(asked: CallDecision): CallDecision {
  const { call, result, reason } = asked;
  const answer = waitForAnswer(asked);
  if (answer === 'approve') return { outcome: result === undefined ? 'run' : 'answered', call, result };
  const because = answer === undefined ? reason : answer;
  const why = because === undefined ? '.' : `: ${because}`;
  return { outcome: 'denied', call, reason: `This tool call was denied. Permission was refused${why}` };
}

/** @returns `approve`, or why not */
function waitForAnswer({ call, reason, userMessage }: CallDecision): string | undefined {
  const { name, arguments: json } = call.function;
  const description = userMessage ?? reason ?? 'A hook asks about this call.';
  const args = JSON.parse(json) as Record<string, unknown>;
  const request: HITLRequest = {
    actionRequests: [{ name, args, description }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'reject'] }],
  };
  try {
    const given: unknown = interrupt(request);
    return readDecision(given);
  } catch (error) {
    if ((error as { lc_error_code?: unknown }).lc_error_code !== 'MISSING_CHECKPOINTER') throw error;
    return 'there is nobody to ask, because the agent has no checkpointer.';
  }
}

interface Decision {
  readonly type?: unknown;
  readonly message?: unknown;
}

/** Anything else than a plain approval refuses. */
function readDecision(given: unknown): string | undefined {
  const decisions = (given as { decisions?: unknown } | null)?.decisions;
  const [decision] = Array.isArray(decisions) ? (decisions as Decision[]) : [];
  if (decision?.type === 'approve') return 'approve';
  return typeof decision?.message === 'string' ? decision.message : undefined;
}
