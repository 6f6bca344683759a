import { RunError } from '@spec/hooks';

/** The error of a write to a thread, or of a lease on one, that is not in the store. */
export function noSuchThread(threadId: string): RunError {
  return new RunError('not_found', `thread ${threadId} is not in the store; create it first`, { threadId });
}

/** The error of creating a thread under an id that is taken. */
export function threadExists(threadId: string): RunError {
  const message = `thread ${threadId} is in the store already; open it, or create one under another id`;
  return new RunError('invalid_input', message, { threadId });
}

/** The error of a tool call whose message is neither in the thread nor in the same append. */
export function noSuchMessage(threadId: string, messageId: string): RunError {
  const message = `message ${messageId} is not in thread ${threadId}; append it with or before its tool calls`;
  return new RunError('not_found', message, { threadId });
}

/** The error of a message under an id that one of another role has: it cannot be the same one again. */
export function messageIdTaken(threadId: string, messageId: string): RunError {
  const message = `message ${messageId} is in thread ${threadId} already, with another role; nothing of this append was stored`;
  return new RunError('invalid_message', message, { threadId });
}

/** The error of a message that is to be new under an id that another one has. */
export function newIdTaken(threadId: string, messageId: string): RunError {
  const message = `message ${messageId} is in thread ${threadId} or its queue already; nothing of this append was stored`;
  return new RunError('invalid_message', message, { threadId });
}

/** The error of a message that is to wait under an id that one of another role has. */
export function itemIdTaken(threadId: string, id: string): RunError {
  const message = `message ${id} is in thread ${threadId} or its queue already, with another role; nothing was stored`;
  return new RunError('invalid_message', message, { threadId });
}

/** The error of a ledger entry that names another thread than the append it came with. */
export function foreignEntry(threadId: string): RunError {
  const message = `a ledger entry of another thread came with an append to ${threadId}; append it to its own`;
  return new RunError('invalid_input', message, { threadId });
}

/** The error of a write whose fence is below that of the thread's lease (design §7.4, 3). */
export function fencedOff(threadId: string, fence: number): RunError {
  const message = `the lease of thread ${threadId} with fence ${fence} was taken over by a newer one; acquire it again before writing`;
  return new RunError('thread_busy', message, { threadId });
}

/** The error of asking for a lease that another owner holds; `ms` is how long it still runs. */
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

/** The error of every call after `close()`. */
export function storeClosed(): RunError {
  return new RunError('closed', 'the store is closed; open it again to go on');
}
