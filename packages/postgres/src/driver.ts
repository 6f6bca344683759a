import { RunError } from '@spec/hooks';
import type { StoreDriver } from '@spec/runtime/store-kit';
import { openCommits } from './commits/commits.ts';
import { CallOrder } from './connection/order.ts';
import type { Session } from './connection/session.ts';
import { nameStore } from './failures.ts';
import { headMethods } from './methods/heads.ts';
import { leaseMethods } from './methods/leases.ts';
import { ledgerMethods } from './methods/ledger.ts';
import { messageMethods } from './methods/messages.ts';
import { pruning } from './methods/pruning.ts';
import { stateMethods } from './methods/state.ts';
import { threadMethods } from './methods/threads.ts';

/** The driver of an open database: calls take effect in the order in which they were made. */
export function postgresDriver(session: Session): StoreDriver {
  const order = new CallOrder();
  const { createThread, listThreads, deleteThread, getThread } = threadMethods(session);
  const { listRuns, pageRuns, listMarks } = ledgerMethods(session);
  const prune = pruning(session);
  const commit = openCommits(session);
  const onThread = {
    getThread,
    ...headMethods(session),
    ...leaseMethods(session),
    ...messageMethods(session),
    ...stateMethods(session),
  };
  return {
    answersAreCopies: true,
    ...inOrder(order, onThread),
    createThread: (thread) => order.onThread(thread.id, async () => createThread(thread)),
    listThreads: (filter) => order.afterAll(async () => listThreads(filter)),
    deleteThread: (threadId, fence) => order.alone(async () => deleteThread(threadId, fence)),
    commit: (threadId, fence, one) => order.onThread(threadId, () => commit(threadId, fence, one)),
    listRuns: (filter) => order.afterAll(async () => listRuns(filter)),
    pageRuns: (page) => order.afterAll(async () => pageRuns(page)),
    listMarks: (threadId, turnId) => order.afterAll(async () => listMarks(threadId, turnId)),
    pruneRuns: (retention) => order.alone(() => prune(retention)),
    backup: () => {
      throw noBackup(session.settings.schema);
    },
    close: () => order.alone(session.close),
  };
}

type ThreadMethod = (threadId: string, ...given: never[]) => unknown;

/** The same methods, each after the earlier calls on its thread. */
function inOrder<Methods extends Record<string, ThreadMethod>>(order: CallOrder, methods: Methods): Methods {
  const ordered = Object.entries(methods).map(([name, method]) => [
    name,
    (threadId: string, ...given: never[]) => order.onThread(threadId, async () => method(threadId, ...given)),
  ]);
  return Object.fromEntries(ordered) as Methods;
}

function noBackup(schema: string): RunError {
  const message = `${nameStore(schema)}: it is not copied to a file from here; use pg_dump -Fc -n ${schema}, or export its threads`;
  return new RunError('invalid_input', message);
}
