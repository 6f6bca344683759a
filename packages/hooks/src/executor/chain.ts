/**
 * The executor's chains. What holds for every hook, whatever its name:
 *
 * C1  Hooks of a chain run one at a time, in order.
 * C2  Each hook gets copies of its data arguments. Nobody sees what it mutates and does not return.
 * C3  A return value enters the chain only after its check; unknown fields survive.
 * C4  `state.execution.abortSignal` fires on the hook's own timeout and on the thread's abort; the chain goes on at the deadline.
 * C5  After a hook has settled, timed out or been aborted, its `state` refuses every write.
 * C6  A thread abort beats `continue`.
 * C7  No hook runs inside a database transaction (the runtime's part: chains first, then one short transaction).
 * C8  A hook that writes messages re-enters the chains, at most four deep.
 * C9  Records and errors carry ids, codes, sizes and times, never data and never another error's text.
 * C10 Every run ends in exactly one outcome and is recorded, the ones passed over too.
 * C11 With no hook in scope a chain costs one property look-up (executor.ts).
 * C12 `execution` is always there (the runtime's part).
 */

import { isThenable } from '../values.ts';
import { ChainRun } from './chain-run.ts';
import type { ChainStart } from './chain-start.ts';
import { type Failure, toFailure } from './failure.ts';

/** Runs one chain to its end. Rejects with a `RunError` if the chain is blocked or the thread aborted. */
export function runChain(start: ChainStart): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const chain: ChainRun = new ChainRun(start, { resolve, reject, walkOn: () => void walk(chain) });
    chain.open();
    void walk(chain);
  });
}

/**
 * Runs hook after hook. When the running one is ended from outside, by its deadline (C4) or the thread's abort, the chain
 * goes on with another walk; the older one may wake up later, sees that `walks` has moved on, and stops. It never rejects.
 */
async function walk(chain: ChainRun): Promise<void> {
  const { walks } = chain;
  try {
    for (;;) {
      const admission = admitHook(chain);
      if (admission !== undefined) await admission;
      const hook = chain.next();
      if (hook === undefined) break;
      let failure: Failure | undefined;
      try {
        if (!chain.begin()) continue;
        if (hook.schema !== undefined) await chain.checkSchema(hook.schema);
        if (chain.walks !== walks) return;
        const returned = chain.call();
        const value: unknown = isThenable(returned) ? await returned : returned;
        if (chain.walks !== walks) return;
        const taken = chain.take(value);
        failure = taken instanceof Promise ? await taken : taken;
      } catch (error) {
        failure = toFailure(error);
      }
      if (chain.walks !== walks) return;
      if (failure === undefined) chain.succeed();
      else chain.fail(failure);
    }
    chain.finish();
  } catch (error) {
    chain.reject(error);
  }
}

/** Asks whether another hook may start. No hook runs meanwhile, so nothing needs ending from outside. */
function admitHook(chain: ChainRun): Promise<void> | undefined {
  const refuse = (error: unknown): never => {
    chain.skipRest('no hook of the thread may begin any more');
    throw error;
  };
  try {
    return chain.settings.admit?.(chain.state)?.catch(refuse);
  } catch (error) {
    return refuse(error);
  }
}
