import { isLifecycleName, nearest, type Outcome, parseDuration, type RunFilter } from '@spec/hooks';
import type { StoreFlags } from '../store/open-store.ts';
import { outcomeNames } from '../value-names.ts';
import { describeUnknownHook } from '../wrong-usage.ts';

/** The options that say which runs are meant, as they were typed. */
export interface LogFilters extends StoreFlags {
  readonly thread?: string;
  readonly hook?: string;
  readonly id?: string;
  readonly outcome?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: string;
}

/** The runs that options mean. */
export interface AskedRuns {
  readonly filter: RunFilter;
  /** The newest so many. */
  readonly limit: number | undefined;
}

/** The runs that options mean; a sentence where one of them is wrong. */
export async function readFilters(filters: LogFilters): Promise<AskedRuns | string> {
  const { thread: threadId, hook, id, outcome } = filters;
  const since = readMoment(filters.since);
  const until = readMoment(filters.until);
  const limit = filters.limit === undefined ? undefined : Number(filters.limit);
  if (hook !== undefined && !isLifecycleName(hook)) return describeUnknownHook(hook);
  if (outcome !== undefined && !outcomeNames.includes(outcome)) return unknownOutcome(outcome);
  if (since === null) return wrongTime('--since', filters.since);
  if (until === null) return wrongTime('--until', filters.until);
  if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 1))
    return '--limit must be a whole number of at least 1.';
  const filter = {
    ...(threadId !== undefined && { threadId }),
    ...(hook !== undefined && { hook }),
    ...(id !== undefined && { id }),
    ...(outcome !== undefined && { outcome: outcome as Outcome }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
  return { filter, limit };
}

function wrongTime(option: string, written: string | undefined): string {
  return `${option} must be a date such as 2030-01-31T12:00, or how long ago: 15m, 12h, 30d; got "${written}".`;
}

function unknownOutcome(outcome: string): string {
  const meant = nearest(outcome, outcomeNames);
  return `There is no outcome "${outcome}". ${meant === undefined ? `There are ${outcomeNames.join(', ')}.` : `Did you mean "${meant}"?`}`;
}

/** Microseconds since the epoch; `null`: it is no time. */
function readMoment(written: string | undefined): number | null | undefined {
  if (written === undefined) return undefined;
  const ago = /^\d+(?:\.\d+)?(?:ms|s|m|h|d)$/.test(written) ? parseDuration(written) : undefined;
  if (ago === undefined && !/^\d{4}-\d\d/.test(written)) return null;
  const ms = ago === undefined ? new Date(written).getTime() : Date.now() - ago;
  return Number.isNaN(ms) ? null : ms * 1_000;
}
