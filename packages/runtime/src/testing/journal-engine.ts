import type { CreateEngine, Engine, TurnContext, TurnRequest } from '../engine/engine.ts';
import { readOutcome } from '../engine/outcome.ts';
import type { TurnResult } from '../engine/turn-result.ts';
import { nowInMicros } from '../time.ts';

/** What an engine has remembered of its turns, as JSON; it outlives the process that a turn ran in. */
export type Journal = Map<string, JournalledTurn>;

interface JournalledTurn {
  readonly request: TurnRequest;
  attempts: number;
  /** What each step gave, as JSON text; `undefined` for a step that gave nothing. */
  readonly steps: Map<string, string | undefined>;
}

export interface JournalEngineOptions {
  /** What survives; two engines over one journal are one engine that was started again. */
  readonly journal: Journal;
  /** Called before and after every step that is not remembered yet: a test lets the process die here. */
  readonly onStep?: (name: string, when: 'before' | 'after') => Promise<void>;
}

/**
 * An engine that remembers every step, as a durable one does: a turn that is run again goes through all of its code, and
 * each step that was done gives what it gave, through JSON. For tests of the turn, and as a model for engines.
 */
export function journalEngine({ journal, onStep = async () => {} }: JournalEngineOptions): CreateEngine {
  return ({ run, store }): Engine => {
    async function runAgain(threadId: string, turnId: string): Promise<TurnResult> {
      const turn = journal.get(makeKey(threadId, turnId));
      if (turn === undefined) throw new Error(`No turn ${turnId} was submitted.`);
      turn.attempts++;
      return run(threadId, turn.request, makeContext(turn, onStep));
    }
    return {
      submit(threadId, request) {
        const key = makeKey(threadId, request.id);
        if (!journal.has(key))
          journal.set(key, { request: structuredClone(request), attempts: 0, steps: new Map() });
        return runAgain(threadId, request.id);
      },
      resume: runAgain,
      find: (threadId, turnId) => readOutcome(store, threadId, turnId),
    };
  };
}

function makeKey(threadId: string, turnId: string): string {
  return JSON.stringify([threadId, turnId]);
}

function makeContext(
  { attempts, steps }: JournalledTurn,
  onStep: NonNullable<JournalEngineOptions['onStep']>,
): TurnContext {
  return {
    attempt: attempts,
    now: nowInMicros,
    async step<T>(name: string, run: () => Promise<T> | T): Promise<T> {
      if (steps.has(name)) return parsed(steps.get(name)) as T;
      await onStep(name, 'before');
      const given = JSON.stringify(await run());
      steps.set(name, given);
      await onStep(name, 'after');
      return parsed(given) as T;
    },
  };
}

function parsed(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}
