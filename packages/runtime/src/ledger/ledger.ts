// Ledger: what is kept of the runs of hooks, for how long, and how it is counted. Threads write it and the application reads it; it never holds data without `trace: 'values'`.

import {
  describeWrongDuration,
  type ModelUsage,
  type OptionNames,
  parseDuration,
  RunError,
} from '@spec/hooks';
import { checkFields, checkOptions } from '../given.ts';
import { type HookStats, summariseRuns } from '../stores/run-sums.ts';
import type { LedgerEntry, LedgerFilter, Retention, Store } from '../stores/store.ts';
import { addUsage, NO_USAGE } from '../usage.ts';
import { type Age, microsAgo } from './age.ts';
import { retentionNow } from './retention.ts';
import { readThreadUsage } from './token-sums.ts';

/** The record of all runs of hooks. */
export interface Ledger {
  /** The runs that match, oldest first. @throws {RunError} `invalid_input` */
  runs(query?: LedgerQuery): Promise<LedgerEntry[]>;
  /** What each hook did in the runs that match, in the order of their first run. It reads them all: give `since` or `limit`. */
  stats(query?: LedgerQuery): Promise<HookStats[]>;
  /** The tokens that the model calls of one thread used, or those of all threads in the store. */
  usage(query?: UsageQuery): Promise<ModelUsage>;
  /**
   * Removes runs, oldest first, from the ledger of all threads.
   *
   * @returns how many went
   * @throws {RunError} `invalid_input` where neither is given, or one is no age or no number of bytes
   */
  prune(what: Prune): Promise<number>;
}

/** Whose tokens to add up. */
export interface UsageQuery {
  /** Default: all threads. Child threads count for themselves. */
  readonly threadId?: string;
}

/** A point in time: a date, microseconds since the epoch (as an entry's `at`), or how long ago (`'15m'`, `'12h'`, `'30d'`). */
export type Moment = Date | number | Extract<Age, string>;

/** What a run must have; what is absent may be anything. */
export interface LedgerQuery extends Omit<LedgerFilter, 'since' | 'until'> {
  /** Only runs at this time or later. */
  readonly since?: Moment;
  /** Only runs before this time. */
  readonly until?: Moment;
}

export interface Prune {
  readonly olderThan?: Age;
  /** The oldest runs go until about so many bytes are left. */
  readonly maxBytes?: number;
}

/** The ledger over a store. */
export function ledgerOver(store: Store): Ledger {
  const runs = async (query: LedgerQuery = {}): Promise<LedgerEntry[]> => store.listRuns(toFilter(query));
  return {
    runs,
    stats: async (query) => summariseRuns(await runs(query)),
    usage: (query) => sumUsage(store, query),
    prune: async (what) => store.pruneRuns(toRetention(what)),
  };
}

async function sumUsage(store: Store, query: UsageQuery = {}): Promise<ModelUsage> {
  checkOptions('a request for usage', query, { threadId: true });
  const { threadId } = query;
  const ids = threadId === undefined ? (await store.listThreads()).map(({ id }) => id) : [threadId];
  const usages = await Promise.all(ids.map((id) => readThreadUsage(store, id)));
  return usages.reduce(addUsage, NO_USAGE);
}

export const queryNames: OptionNames<LedgerQuery> = {
  threadId: true,
  hook: true,
  id: true,
  outcome: true,
  turnId: true,
  since: true,
  until: true,
  limit: true,
};

/** @throws {RunError} `invalid_input` */
export function toFilter(query: LedgerQuery): LedgerFilter {
  checkOptions('a request for runs', query, queryNames);
  const { since, until, ...rest } = query;
  for (const [field, value] of Object.entries(rest))
    if (value !== null && !asked.has(typeof value))
      throw new RunError('invalid_input', `${field} must be a text or a number.`);
  return {
    ...rest,
    ...(since !== undefined && { since: toMicros('since', since) }),
    ...(until !== undefined && { until: toMicros('until', until) }),
  };
}

const asked: ReadonlySet<string> = new Set(['undefined', 'string', 'number', 'boolean']);

function toMicros(option: string, moment: Moment): number {
  if (typeof moment === 'number' && Number.isFinite(moment)) return moment;
  if (moment instanceof Date && !Number.isNaN(moment.getTime())) return moment.getTime() * 1_000;
  const ms = typeof moment === 'string' ? parseDuration(moment) : undefined;
  if (ms !== undefined) return microsAgo(ms);
  const forms = 'a Date, microseconds since the epoch, or how long ago, such as "12h"';
  throw new RunError('invalid_input', `${option} must be ${forms}.`);
}

function toRetention(what: Prune): Retention {
  checkFields('What is to go from the ledger', what, 'invalid_input');
  checkOptions('prune', what, { olderThan: true, maxBytes: true });
  const { olderThan, maxBytes } = what;
  const ms = olderThan === undefined ? undefined : parseDuration(olderThan);
  if (olderThan !== undefined && ms === undefined)
    throw new RunError('invalid_input', describeWrongDuration('olderThan', olderThan, 'of 0 or more'));
  if (ms === undefined && maxBytes === undefined) {
    const forms = 'olderThan, an age such as "30d", or maxBytes, a number of bytes, or both';
    throw new RunError('invalid_input', `To prune the ledger give ${forms}.`);
  }
  return retentionNow({ ms, maxBytes });
}
