import { DefinitionError, type Records, type RunFilter } from '@spec/hooks';
import { printable } from '../printable.ts';

/**
 * Refuses the id of a thread that the store has no trace of: that no run matches would pass for "nothing happened there". Of a thread that was
 * deleted, and of one in a coding agent, the ledger has the runs.
 *
 * @throws {DefinitionError} `bad_option`
 */
export async function refuseUnknownThread(
  records: Records,
  { threadId }: RunFilter,
  db: string,
): Promise<void> {
  if (threadId === undefined) return;
  const { items: threads } = await records.threads({ size: 1, id: threadId });
  const { items: runs } = await records.runs({ threadId, order: 'newest', size: 1 });
  if (threads.length + runs.length > 0) return;
  throw new DefinitionError(
    'bad_option',
    `${printable(db)} has no thread ${printable(threadId)}: give its whole id, as spec-hooks threads lists it.`,
  );
}
