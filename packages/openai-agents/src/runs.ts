import { AsyncLocalStorage } from 'node:async_hooks';
import { DefinitionError } from '@spec/hooks';
import type { HostTurn, Unanswered } from '@spec/hooks/host';
import type { Conversation } from './conversation.ts';

/** One run of an agent: the turn of its hooks, and what they know of its items. */
export interface Running {
  readonly turn: HostTurn;
  /** Stops the turn. */
  readonly aborts: AbortController;
  readonly conversation: Conversation;
  /** The messages of the user that it has received, and no model has answered. */
  readonly unanswered: Unanswered;
  /** Calls that wait for a person, since the model was asked last: the run is interrupted by them. */
  readonly waiting: Set<string>;
  /** Begins a run inside of a tool of this one: that of an agent that is a tool. */
  openNested(): Running;
}

/** A run of one `createHooks`, with the runs that it is inside of. */
interface Frame {
  readonly runs: Runs;
  /** Gives the run, and begins it where that has waited until somebody asks. */
  open(): Running;
  readonly outer: Frame | undefined;
}

/**
 * One for all of a process: on Node 20 every promise of the process pays for each that there ever was, so that a program which
 * makes its hooks anew for each request would get slower with every one.
 */
const frames = new AsyncLocalStorage<Frame>();

/** Which run a model or a tool is called in. The SDK does not tell models, so what is called finds its run by its asynchronous context. */
export class Runs {
  within<Result>(running: Running, work: () => Result): Result {
    return this.#enter(() => running, work);
  }

  /** Does what may run an agent of its own. @returns with whether that agent waits for a person, so that this is not done yet */
  async withinTool<Result>(
    running: Running,
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly isWaiting: boolean }> {
    let nested: Running | undefined;
    const open = (): Running => {
      nested ??= running.openNested();
      return nested;
    };
    const result = await this.#enter(open, work);
    return { result, isWaiting: nested !== undefined && nested.waiting.size > 0 };
  }

  /** @throws {DefinitionError} `bad_option` outside of a run */
  find(): Running {
    let frame = frames.getStore();
    while (frame !== undefined && frame.runs !== this) frame = frame.outer;
    if (frame === undefined)
      throw new DefinitionError(
        'bad_option',
        'An agent with hooks was run without them. Run it by run of createHooks, in the place of run of @openai/agents.',
      );
    return frame.open();
  }

  #enter<Result>(open: () => Running, work: () => Result): Result {
    return frames.run({ runs: this, open, outer: frames.getStore() }, work);
  }
}
