import { RunError } from '@spec/hooks';
import type { ThreadRecord } from '../stores/store.ts';

/** An open thread, as much of it as is needed here. */
interface OpenThread {
  readonly record: ThreadRecord;
  end(): void;
}

/**
 * The record of an open thread as the store has it now. A thread that was deleted meanwhile ends where its id is another one's by now: that one
 * has an agent, a user and hooks of its own.
 *
 * @throws {RunError} `not_found`
 */
export function takeRecord(open: OpenThread, stored: ThreadRecord): ThreadRecord {
  const { createdAt, agentId, id: threadId } = open.record;
  if (stored.createdAt === createdAt && stored.agentId === agentId) return stored;
  open.end();
  const message = `Thread ${threadId} was deleted since it was opened, and another one was created under its id: open it again.`;
  throw new RunError('not_found', message, { threadId });
}
