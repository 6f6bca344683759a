import { RunError, withCause } from '@spec/hooks';

/** The error of a write or a lease for a thread that is not in the store. */
export function noSuchThread(threadId: string): RunError {
  return new RunError('not_found', `thread ${threadId} is not in the store; create it first`, { threadId });
}

/** The error of creating a thread with an id that is taken. */
export function threadExists(threadId: string): RunError {
  const message = `thread ${threadId} is in the store already; open it, or create one under another id`;
  return new RunError('invalid_input', message, { threadId });
}

/** The error of a tool call whose message is neither in the thread nor in the same append. */
export function noSuchMessage(threadId: string, messageId: string): RunError {
  const message = `message ${messageId} is not in thread ${threadId}; append it with or before its tool calls`;
  return new RunError('not_found', message, { threadId });
}

/** The error of a message whose id belongs to a message with another role: they cannot be the same message. */
export function messageIdTaken(threadId: string, messageId: string): RunError {
  const message = `message ${messageId} is in thread ${threadId} already, with another role; nothing of this append was stored`;
  return new RunError('invalid_message', message, { threadId });
}

/** The error of a new message whose id is taken. */
export function newIdTaken(threadId: string, messageId: string): RunError {
  const message = `message ${messageId} is in thread ${threadId} or its queue already; nothing of this append was stored`;
  return new RunError('invalid_message', message, { threadId });
}

/** The error of a message for the queue whose id belongs to a message with another role. */
export function itemIdTaken(threadId: string, id: string): RunError {
  const message = `message ${id} is in thread ${threadId} or its queue already, with another role; nothing was stored`;
  return new RunError('invalid_message', message, { threadId });
}

/** The error of a ledger entry for another thread than its append. */
export function foreignEntry(threadId: string): RunError {
  const message = `a ledger entry of another thread came with an append to ${threadId}; append it to its own`;
  return new RunError('invalid_input', message, { threadId });
}

/** The error of a write with a lower fence than the thread's lease (design §7.4, 3). */
export function fencedOff(threadId: string, fence: number): RunError {
  const message = `the lease of thread ${threadId} with fence ${fence} was taken over by a newer one; acquire it again before writing`;
  return new RunError('thread_busy', message, { threadId });
}

/** The error of asking for a lease that another owner holds; `ms` is how long it still lives. */
export function leasedOut(threadId: string, ms: number): RunError {
  const message = `thread ${threadId} has another writer for up to ${ms} ms; wait until it is done, or stop it`;
  return new RunError('thread_busy', message, { threadId });
}

/** The error of renewing a lease that ended. */
export function leaseLost(threadId: string): RunError {
  const message = `the lease of thread ${threadId} was released or taken over; acquire it again before writing`;
  return new RunError('thread_busy', message, { threadId });
}

/** The error of a backup of a store that has no file. */
export function nothingToBackUp(): RunError {
  return new RunError(
    'invalid_input',
    'a store in memory cannot be backed up; use sqliteStore with a path, or export its threads',
  );
}

/** The error of a driver that threw an error of its own. Its text may hold data, so it is a cause that nobody prints. */
export function driverFailed(method: string, cause: unknown): RunError {
  const message = `the driver of the store failed in ${method}; nobody knows whether the last write was stored. Look at its database, and try again`;
  return withCause(new RunError('store_failed', message), cause);
}

/** The error of a driver whose answer has not the form that the store goes by. What it answered may be data. */
export function driverAnswered(method: string, wanted: string): RunError {
  const message = `the driver of the store did not answer ${method} with ${wanted}; nobody knows whether what was asked for was done. Mend the driver: the comments of StoreDriver say what it must answer`;
  return new RunError('store_failed', message);
}

/** The error of every call after `close()`. */
export function storeClosed(): RunError {
  return new RunError('closed', 'the store is closed; open it again to go on');
}
