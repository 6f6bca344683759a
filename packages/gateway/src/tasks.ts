import { ErrorCode, type Result } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@spec/hooks';
import { REFUSED } from './answers.ts';
import { type Passage, pass } from './passage.ts';
import { makeError } from './peer.ts';
import type { ClientRequest, Session } from './session.ts';
import { writeToolAnswer } from './through-hooks.ts';
import type { Upstream } from './upstream.ts';

/** A call of a tool that goes on behind its first answer. */
interface Task {
  readonly upstream: Upstream;
  /** What the call gives in the end, after the hooks. */
  readonly result: Promise<Result>;
}

/** The tasks of a client that are kept. The oldest goes first. */
const MAX_TASKS = 1_000;

/** The tasks of one client, by the ids that their servers have given them. */
export class Tasks {
  readonly #tasks = new Map<string, Task>();

  /** @throws an error for the client: a server gives each of its tasks an id of its own, and none that another server has given */
  add(id: string, task: Task): void {
    if (this.#tasks.has(id)) throw makeError(REFUSED, 'The server has given two tasks one id.');
    const [oldest] = this.#tasks.size < MAX_TASKS ? [] : this.#tasks.keys();
    if (oldest !== undefined) this.#tasks.delete(oldest);
    this.#tasks.set(id, task);
  }

  /** @throws an error for the client, if it has no such task */
  require(id: unknown): Task {
    const task = typeof id === 'string' ? this.#tasks.get(id) : undefined;
    if (task === undefined) throw makeError(ErrorCode.InvalidParams, 'Task not found');
    return task;
  }

  isRunBy(upstream: Upstream, id: unknown): boolean {
    return typeof id === 'string' && this.#tasks.get(id)?.upstream === upstream;
  }
}

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
    tellCreated(raw);
    const message = { method: 'tasks/result', params: { taskId } };
    return upstream.ask(message, { signal: request.signal, timeout: total, total });
  };
  const result = pass(session, request, { ...passage, follow }).then(({ turn, outcome }) =>
    writeToolAnswer(turn, outcome, hasSchema),
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
  return session.relay.askServer(upstream, { method, params }, { id, signal });
}
