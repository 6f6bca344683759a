import { interrupt } from '@langchain/langgraph';
import { RunError } from '@spec/hooks';
import type { CallDecision } from '@spec/hooks/host';
import type { HITLRequest } from 'langchain';
import { isBesideOthers, readQuestions, type TaskQuestions } from './interrupts.ts';

/** A call, and how many questions about it a person has answered. */
export interface AskedCall {
  readonly decision: CallDecision;
  readonly asked: number;
}

/**
 * Asks a person by an interrupt, in the form of LangChain's own `humanInTheLoopMiddleware`, whose answers it takes. The graph stops here; when it
 * is resumed it comes here again, and goes on with the answer. An approval is one of what was shown: where hooks make other arguments by
 * then, the person is asked again.
 *
 * @param configurable what LangGraph tells the task
 * @throws {RunError} `invalid_input` for one answer where several questions wait
 */
export async function askByInterrupt(decided: CallDecision, configurable: unknown): Promise<AskedCall> {
  const { call } = decided;
  if (isBesideOthers(configurable)) return { decision: applyAnswer(decided, refuse(ONE_TASK)), asked: 0 };
  const questions = await readQuestions(configurable);
  const { answers, last, isForSeveral } = questions;
  // One error is told as it is; of two, LangGraph tells that there were several.
  if (isForSeveral === 'first') throw refusePlain(call.id);
  if (isForSeveral === 'other')
    return { decision: applyAnswer(decided, ask(makeRequest(decided))), asked: 0 };
  if (last?.specHooks !== undefined) return goOn(decided, last.specHooks);
  const request = makeRequest(decided);
  const answer = takeAnswers(request, questions);
  const isShown =
    answers > 0 && JSON.stringify(readShown(last)) === JSON.stringify(readShown({ value: request }));
  const given = isShown ? answer : ask(request);
  return { decision: applyAnswer(decided, given), asked: Math.max(answers, 1) };
}

/** The answer to the last question; those before it were to others. */
function takeAnswers(request: HITLRequest, { answers }: TaskQuestions): unknown {
  let given: unknown;
  for (let at = 0; at < answers; at++) given = interrupt(request);
  return given;
}

/** A tool that has begun and interrupts the graph by itself was approved before. */
function goOn(
  decided: CallDecision,
  { asked, arguments: begun }: { asked: number; arguments: string },
): AskedCall {
  const { call, result } = decided;
  const isSame = asked > 0 && begun === call.function.arguments;
  if (!isSame) {
    const reason =
      'This tool call was denied: it is another one than that which had begun, and nobody has allowed this one.';
    return { decision: { outcome: 'denied', call, reason }, asked };
  }
  for (let at = 0; at < asked; at++) interrupt(undefined);
  return { decision: allow(call, result), asked };
}

function allow(call: CallDecision['call'], result: CallDecision['result']): CallDecision {
  return { outcome: result === undefined ? 'run' : 'answered', call, result };
}

function refusePlain(toolCallId: string): RunError {
  return new RunError(
    'invalid_input',
    'Several calls wait for a person, and one answer was given for all of them. Give each its own, by the id of its interrupt: new Command({ resume: { [id]: { decisions: [{ type: "approve" }] } } }).',
    { toolCallId },
  );
}

function makeRequest({ call, reason, userMessage }: CallDecision): HITLRequest {
  const { name, arguments: json } = call.function;
  const description = userMessage ?? reason ?? 'A hook asks about this call.';
  const args = JSON.parse(json) as Record<string, unknown>;
  return {
    actionRequests: [{ name, args, description }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'reject'] }],
  };
}

/** The call that a question shows. */
function readShown(question: { readonly value?: unknown } | undefined): unknown {
  const { actionRequests = [] } = (question?.value ?? {}) as Partial<HITLRequest>;
  return actionRequests.map(({ name, args }) => [name, args]);
}

const NO_CHECKPOINTER = 'there is nobody to ask, because the agent has no checkpointer.';
const ONE_TASK =
  'there is nobody to ask about one of several calls, because the agent runs all calls of an answer in one task (version "v1").';

const refuse = (message: string): unknown => ({ decisions: [{ type: 'reject', message }] });

function ask(request: HITLRequest): unknown {
  try {
    return interrupt(request);
  } catch (error) {
    if ((error as { lc_error_code?: unknown }).lc_error_code !== 'MISSING_CHECKPOINTER') throw error;
    return refuse(NO_CHECKPOINTER);
  }
}

interface Decision {
  readonly type?: unknown;
  readonly message?: unknown;
}

/** Anything else than a plain approval refuses. */
function applyAnswer({ call, result, reason }: CallDecision, given: unknown): CallDecision {
  const decisions = (given as { decisions?: unknown } | null | undefined)?.decisions;
  const [decision, ...others] = Array.isArray(decisions) ? (decisions as Decision[]) : [];
  if (decision?.type === 'approve' && others.length === 0) return allow(call, result);
  const because = typeof decision?.message === 'string' ? decision.message : reason;
  const why = because === undefined ? '.' : `: ${because}`;
  return { outcome: 'denied', call, reason: `This tool call was denied. Permission was refused${why}` };
}
