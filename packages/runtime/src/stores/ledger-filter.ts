import { RunError } from '@spec/hooks';
import { wantedCount } from './counts.ts';
import type { LedgerEntry, LedgerFilter, Retention } from './store.ts';

/** What a filter looks at; the place only where the filter names one. */
type Filtered = Pick<LedgerEntry, 'hook' | 'id' | 'outcome' | 'at'> &
  Partial<Pick<LedgerEntry, 'threadId' | 'turnId'>>;

/** Whether an entry matches a filter; ignores its `limit`. */
export function matchesFilter(entry: Filtered, filter: LedgerFilter): boolean {
  const { threadId, hook, id, outcome, turnId, since, until } = filter;
  return (
    (threadId === undefined || entry.threadId === threadId) &&
    (hook === undefined || entry.hook === hook) &&
    (id === undefined || entry.id === id) &&
    (outcome === undefined || entry.outcome === outcome) &&
    (turnId === undefined || entry.turnId === turnId) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at < until)
  );
}

/** @throws RunError `invalid_input` if neither option is given, or one is not a valid time or number of bytes. */
export function checkRetention({ before, keepBytes }: Retention): void {
  if (before === undefined && keepBytes === undefined)
    throw new RunError('invalid_input', 'pruneRuns needs before, keepBytes or both');
  if (before !== undefined && !Number.isFinite(before))
    throw new RunError('invalid_input', 'before must be a time in microseconds since the epoch');
  wantedCount('keepBytes', keepBytes);
}
