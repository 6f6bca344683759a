import { RunError } from '../errors.ts';
import type { ModelAnswer, ModelRequest } from '../vocabulary/control.ts';
import { askPerson } from './person.ts';
import type { TurnChains } from './turn-chains.ts';

/**
 * Why a request cannot be made as a hook rewrote it. A hook may have any text of its own in a rewrite: a problem says none of it.
 *
 * @param problem a sentence that goes on after "a hook rewrote it, and"
 */
export function denyRewrite(problem: string): RunError {
  const message = `The model call was denied: a hook rewrote it, and ${problem}`;
  return new RunError('model_denied', message, { hook: 'before_model_call' });
}

/**
 * Has `before_model_call` decide on a request, and a person where that asks. What a hook rewrote is the place's to check: it knows its
 * models and settings.
 *
 * @throws {RunError} `model_denied`
 */
export async function decideModelCall(
  turn: TurnChains,
  requested: ModelRequest,
): Promise<{ request: ModelRequest; answer?: ModelAnswer | undefined }> {
  const verdict = await turn.run('before_model_call', requested);
  const { decision, by, reason, userMessage, subject: request, result: answer } = verdict;
  const { threadId, execution } = turn.state;
  const denied = (why: string): RunError => {
    const place = { hook: 'before_model_call', threadId, ...(by === null ? {} : { id: by }) };
    return new RunError('model_denied', why, place);
  };
  await turn.passOn(verdict);
  if (decision === 'deny') throw denied(`The hook "${by}" denied the model call.`);
  if (decision === 'ask') {
    const refusal = await askPerson(turn.onAsk, {
      ...{ about: 'model_call', threadId, model: request.model, reason, userMessage },
      abortSignal: execution.abortSignal,
    });
    if (refusal !== undefined)
      throw denied(`The hook "${by}" asked about the model call, and it was not allowed.`);
  }
  return { request, answer };
}
