import { ErrorCode, type Result } from '@modelcontextprotocol/sdk/types.js';
import { REFUSED } from './answers.ts';
import { makeError } from './peer.ts';
import type { Upstream } from './upstream.ts';

/** A call of a tool that goes on behind its first answer. */
interface Task {
  readonly upstream: Upstream;
  /** What the call gives in the end, after the hooks. */
  readonly result: Promise<Result>;
}

/** What a task gives, hooks see with its result; what a server puts beside the task itself, none would. */
export function withoutResult({
  content: _,
  structuredContent: __,
  toolResult: ___,
  ...task
}: Result): Result {
  return task;
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
