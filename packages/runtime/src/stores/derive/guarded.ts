import { DefinitionError, RunError } from '@spec/hooks';
import type { StoreDriver } from '../driver.ts';
import { driverAnswered, driverFailed } from '../refusals.ts';
import { type DriverMethod, driverMethods, findWrongAnswer } from './answers.ts';

/**
 * The same driver, whose errors are the store's: whatever a database throws, and whatever has not the form of an answer, becomes
 * `store_failed`. A turn that took it for an error of its own would end for good, without the results of calls that have run.
 */
export function guardDriver(driver: StoreDriver): StoreDriver {
  const guarded: Partial<Record<DriverMethod, unknown>> = {};
  for (const method of driverMethods)
    if (driver[method] !== undefined) guarded[method] = guardMethod(driver, method);
  return { ...(guarded as unknown as StoreDriver), ...pickTrait(driver) };
}

function pickTrait({ answersAreCopies }: StoreDriver): Pick<StoreDriver, 'answersAreCopies'> {
  return answersAreCopies === undefined ? {} : { answersAreCopies };
}

function guardMethod(driver: StoreDriver, method: DriverMethod): (...given: unknown[]) => unknown {
  const call = driver[method] as (...given: unknown[]) => unknown;
  const refuse = (error: unknown): never => {
    throw error instanceof RunError || error instanceof DefinitionError ? error : driverFailed(method, error);
  };
  const take = (answer: unknown, given: readonly unknown[]): unknown => {
    const wanted = findWrongAnswer(method, given, answer);
    if (wanted !== undefined) throw driverAnswered(method, wanted);
    return answer;
  };
  return (...given) => {
    try {
      const answer = call.apply(driver, given);
      if (!isPromise(answer)) return take(answer, given);
      return Promise.resolve(answer).then((settled) => take(settled, given), refuse);
    } catch (error) {
      return refuse(error);
    }
  };
}

/** Query builders of some databases are promises of their own kind. */
function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  return typeof (answer as { then?: unknown } | null | undefined)?.then === 'function';
}
