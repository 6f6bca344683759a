/**
 * The executor's chains. What holds for every hook, whatever its name:
 *
 * C1  Hooks of a chain run one at a time, in order.
 * C2  Each hook gets copies of its data arguments; what it mutates and throws away nobody sees.
 * C3  A value enters the chain only after it passed its check; unknown fields survive.
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
import pTimeout from 'p-timeout';
import { ChainRun, type ChainStart } from './chain-run.ts';
import { type Failure, failureOf } from './failure.ts';

/** Runs one chain to its end. Rejects with a `RunError` where the chain is blocked or the thread aborted. */
export async function runChain(start: ChainStart): Promise<unknown> {
  const chain = new ChainRun(start);
  while (!(await untilDeadline(chain))) chain.endFromOutside();
  return chain.result();
}

/**
 * Walks the chain until it is done (`true`), or until the running hook's deadline or the thread's abort (`false`).
 * P1 One p-timeout call serves all hooks of the walk: its timer is an entry whose time moves from hook to hook.
 * P2 Its error is never used, so no stack is captured for it: that would cost as much as running the hooks.
 */
function untilDeadline(chain: ChainRun): Promise<boolean> {
  const walking = walk(chain);
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return pTimeout(walking, { milliseconds: 1, customTimers: chain.timers, fallback: deadlinePassed });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const deadlinePassed = (): boolean => false;

/** Runs hook after hook. A walk that was ended from outside may wake up later: its chain has moved on, and it stops. */
async function walk(chain: ChainRun): Promise<boolean> {
  const { walks } = chain;
  for (let member = chain.next(); member !== undefined; member = chain.next()) {
    let failure: Failure | undefined;
    try {
      if (!chain.begin(member)) continue;
      if (member.hook.schema !== undefined) await chain.checkSchema(member.hook.schema);
      if (chain.walks !== walks) return true;
      const returned = chain.call(member);
      const value: unknown = isThenable(returned) ? await returned : returned;
      if (chain.walks !== walks) return true;
      const taken = chain.take(value);
      failure = taken instanceof Promise ? await taken : taken;
    } catch (error) {
      failure = failureOf(error);
    }
    if (chain.walks !== walks) return true;
    if (failure === undefined) chain.succeed();
    else chain.fail(failure);
  }
  return true;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
