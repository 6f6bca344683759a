import type { Outcome, RunRecord } from './record.ts';

/** A run of a hook with the place it happened in. */
export interface RecordedRun extends RunRecord {
  readonly threadId: string;
  /** `null` outside of turns. */
  readonly turnId: string | null;
  readonly step: number;
  /** Microseconds since the epoch. */
  readonly at: number;
}

/** What a run must have; what is absent may be anything. */
export interface RunFilter {
  readonly threadId?: string;
  readonly hook?: string;
  readonly id?: string;
  readonly outcome?: Outcome;
  /** `null` for runs outside of turns. */
  readonly turnId?: string | null;
  /** Only runs at this time or later, in microseconds since the epoch. */
  readonly since?: number;
  /** Only runs before this time, in microseconds since the epoch. */
  readonly until?: number;
}

/** What one hook did, over many runs. */
export interface HookSums {
  readonly hook: string;
  readonly id: string;
  readonly source: string;
  /** How many entries it has, those that were skipped included. */
  readonly runs: number;
  readonly changed: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** Milliseconds that half of its runs took at most, without those that were skipped; 0 where it never ran. */
  readonly p50: number;
  /** Milliseconds that 99 of 100 of its runs took at most. */
  readonly p99: number;
  /** Microseconds since the epoch: its newest entry. */
  readonly lastAt: number;
}

/** How the newest runs of a thread ended. */
export interface RecentRuns {
  /** How many were counted. */
  readonly runs: number;
  /** Whether the thread has older ones. */
  readonly hasMore: boolean;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
}

export interface SeriesQuery extends Omit<RunFilter, 'since' | 'until'> {
  /** Microseconds since the epoch: from here on, and before here. */
  readonly since: number;
  readonly until: number;
  /** How many parts of one length the time is cut into, 500 at most. */
  readonly buckets: number;
}

/** What hooks did in one part of a time. */
export interface RunBucket {
  /** Its beginning, in microseconds since the epoch. */
  readonly from: number;
  readonly runs: number;
  readonly changed: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** Milliseconds that half of the runs took at most, without those that were skipped. */
  readonly p50: number;
  readonly p99: number;
}
