import { DefinitionError, RunError } from '@spec/hooks';
import type { StoreDriver } from '../driver.ts';
import { driverFailed } from '../refusals.ts';

type Method = Exclude<keyof StoreDriver, 'answersAreCopies'>;

const methods: Readonly<Record<Method, true>> = {
  createThread: true,
  getThread: true,
  listThreads: true,
  deleteThread: true,
  commit: true,
  findMessage: true,
  listMessages: true,
  listToolCalls: true,
  listQueue: true,
  listValues: true,
  listFiles: true,
  readFile: true,
  readLease: true,
  changeLease: true,
  pageRuns: true,
  listMarks: true,
  pruneRuns: true,
  close: true,
  countMessages: true,
  listRuns: true,
  readHead: true,
  takeOver: true,
  backup: true,
};

/**
 * The same driver, whose errors are the store's: whatever a database throws becomes `store_failed`. A turn that took it for an error of its own
 * would end for good, without the results of calls that have run.
 */
export function guardDriver(driver: StoreDriver): StoreDriver {
  const guarded: Partial<Record<Method, unknown>> = {};
  for (const method of Object.keys(methods) as Method[])
    if (driver[method] !== undefined) guarded[method] = guardMethod(driver, method);
  return { ...(guarded as unknown as StoreDriver), ...pickTrait(driver) };
}

function pickTrait({ answersAreCopies }: StoreDriver): Pick<StoreDriver, 'answersAreCopies'> {
  return answersAreCopies === undefined ? {} : { answersAreCopies };
}

function guardMethod(driver: StoreDriver, method: Method): (...given: unknown[]) => unknown {
  const call = driver[method] as (...given: unknown[]) => unknown;
  const refuse = (error: unknown): never => {
    throw error instanceof RunError || error instanceof DefinitionError ? error : driverFailed(method, error);
  };
  return (...given) => {
    try {
      const answer = call.apply(driver, given);
      return answer instanceof Promise ? answer.catch(refuse) : answer;
    } catch (error) {
      return refuse(error);
    }
  };
}
