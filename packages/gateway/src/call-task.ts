import type { Result } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@spec/hooks';
import { REFUSED } from './answers.ts';
import { type Passage, pass } from './passage.ts';
import { makeError } from './peer.ts';
import type { ClientRequest, Session } from './session.ts';
import { withoutResult } from './tasks.ts';
import { writeToolAnswer } from './through-hooks.ts';

/**
 * Calls a tool as a task: the client hears at once that it runs, and the call stays on its way through the hooks until the server has its result.
 *
 * @throws an error for the client, if hooks deny the call: what is denied is no task
 */
export async function startTask(
  session: Session,
  request: ClientRequest,
  { passage, hasSchema }: { readonly passage: Passage; readonly hasSchema: boolean },
): Promise<Result> {
  const { upstream } = passage;
  const { total } = session.parts.limits;
  let tellCreated: (raw: Result) => void = () => {};
  const created = new Promise<Result>((resolve) => {
    tellCreated = resolve;
  });
  const follow = async (raw: Result): Promise<Result> => {
    const taskId = isRecord(raw.task) ? raw.task.taskId : undefined;
    if (typeof taskId !== 'string') return raw;
    session.tasks.add(taskId, { upstream, result });
    tellCreated(withoutResult(raw));
    const message = { method: 'tasks/result', params: { taskId } };
    return upstream.ask(message, { signal: request.signal, timeout: total, total });
  };
  const result = pass(session, request, { ...passage, follow }).then((passed) =>
    writeToolAnswer(passed, hasSchema),
  );
  result.catch(() => {}); // Whoever asks for it hears of it.
  return Promise.race([created, result.then(refuseDenied)]);
}

/** A server may answer at once all the same; what never came to one was denied. */
function refuseDenied(result: Result): Result {
  if (result.isError !== true) return result;
  const content: unknown = Array.isArray(result.content) ? result.content[0] : undefined;
  throw makeError(REFUSED, isRecord(content) ? String(content.text) : 'The call was refused.');
}

/** What a task has given, after the hooks; waits until it is there. */
export async function answerTask(session: Session, { id, params }: ClientRequest): Promise<Result> {
  const { upstream, result } = session.tasks.require(params.taskId);
  return session.relay.during(upstream, id, () => result);
}

/** How a task is doing, or its end: its server knows. */
export async function passTask(
  session: Session,
  { id, method, params, signal }: ClientRequest,
): Promise<Result> {
  const { upstream } = session.tasks.require(params.taskId);
  return withoutResult(await session.relay.askServer(upstream, { method, params }, { id, signal }));
}
