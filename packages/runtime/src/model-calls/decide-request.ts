import { findUnknownOption, type ModelRequest, RunError, type Verdict } from '@spec/hooks';
import { settingNames } from '../definitions/prompt.ts';
import { type ModelReply, makeReply } from '../model/call.ts';
import { askPerson } from '../permission/asks.ts';
import type { ThreadView } from '../thread/core.ts';
import { giveContexts } from '../writes/contexts.ts';
import { notify } from '../writes/notifications.ts';

/** A request that may be made. */
export interface DecidedRequest {
  /** With the rewrites of hooks. */
  readonly request: ModelRequest;
  /** What a hook answered in the model's place. */
  readonly answer?: ModelReply;
}

type RequestVerdict = Verdict<ModelRequest, Parameters<typeof makeReply>[0]>;

/**
 * Has `before_model_call` decide on a request, and a person where that asks. An ask that nobody can answer is a deny.
 *
 * @throws {RunError} `model_denied`; `aborted`
 */
export async function decideRequest(view: ThreadView, requested: ModelRequest): Promise<DecidedRequest> {
  const { runtime, scope } = view.core;
  const verdict = await runtime.executor.run('before_model_call', scope, view, requested);
  const { decision, subject: request, result, context, userMessage } = verdict;
  if (decision === 'deny') await deny(view, verdict, verdict.reason);
  refuseUnknown(view, requested, verdict);
  await giveContexts(view, context);
  if (userMessage !== undefined && decision !== 'ask')
    await notify(view, { kind: 'notice', message: userMessage });
  if (decision === 'ask') await askAbout(view, verdict);
  return result === undefined ? { request } : { request, answer: makeReply(result) };
}

/** @throws {RunError} `model_denied`; `thread_terminated`: a person may have taken hours */
async function askAbout(view: ThreadView, verdict: RequestVerdict): Promise<void> {
  const { reason, userMessage, subject } = verdict;
  const refusal = await askPerson(view, { about: 'model_call', model: subject.model, reason, userMessage });
  if (refusal !== undefined) await deny(view, verdict, refusal);
  view.core.refuseMessages();
}

async function deny(
  view: ThreadView,
  { by, userMessage, decision }: RequestVerdict,
  reason: string | undefined,
): Promise<never> {
  if (userMessage !== undefined && decision === 'deny')
    await notify(view, { kind: 'notice', message: userMessage });
  view.flow.refusal = reason;
  throw denied(view, by, `The hook "${by}" denied the model call.`);
}

/**
 * A hook may have any text of its own in a rewrite; what is not registered cannot be called.
 *
 * @throws {RunError} `model_denied`
 */
function refuseUnknown(
  view: ThreadView,
  requested: ModelRequest,
  { subject, rewrittenBy }: RequestVerdict,
): void {
  const problem = findProblem(view, requested, subject);
  if (problem === undefined) return;
  const by = rewrittenBy.at(-1) ?? null;
  throw denied(view, by, `The model call was denied: the hook "${by}" rewrote it, and ${problem}`);
}

function findProblem(
  { core }: ThreadView,
  requested: ModelRequest,
  { model, settings, tools, toolChoice }: ModelRequest,
): string | undefined {
  const { models } = core.runtime.catalog;
  if (!models.has(model))
    return `its model is not registered. Registered are: ${[...models.keys()].join(', ')}.`;
  const unknown = findUnknownOption(settings, settingNames);
  if (unknown !== undefined)
    return `among its settings is one that is not known: ${Object.keys(settingNames).join(', ')} are.`;
  if (!tools.every((tool) => requested.tools.includes(tool)))
    return 'it offers a tool that the prompt does not have.';
  const isChosen = typeof toolChoice !== 'object' || toolChoice === null || tools.includes(toolChoice.tool);
  return isChosen ? undefined : 'its toolChoice names a tool that it does not offer.';
}

function denied({ threadId }: ThreadView, by: string | null, message: string): RunError {
  return new RunError('model_denied', message, {
    hook: 'before_model_call',
    threadId,
    ...(by === null ? {} : { id: by }),
  });
}
