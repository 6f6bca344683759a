import { checkOptionNames, DefinitionError, describeWrongDuration, parseDuration } from '@spec/hooks';
import type { Retention, Store } from '../stores/store.ts';
import { type Age, microsAgo } from './age.ts';

/** What a runtime keeps of the runs of its hooks. */
export type LedgerOption =
  /** Nothing is recorded; listeners still hear of every run. */
  | 'off'
  | {
      /** Older runs go. */
      readonly keep?: Age;
      /** The oldest runs go until about so many bytes are left. */
      readonly maxBytes?: number;
    };

/**
 * Keeps the ledger as small as its option says: the oldest runs go with the first runs that this runtime writes, then
 * whenever it has written a thousand more, or some after an hour without. There is no timer: what does not grow is left alone.
 */
export interface LedgerKeeper {
  readonly keepsRuns: boolean;
  /** So many runs were written. */
  wrote(count: number): void;
  /** Waits for what is being removed. */
  settled(): Promise<void>;
}

const RUNS_BETWEEN = 1_000;
const MS_BETWEEN = 3_600_000;

/** @throws {DefinitionError} `bad_option` */
export function keepLedger(store: Store, option: LedgerOption | undefined): LedgerKeeper {
  const limits = option === 'off' ? {} : checked(option ?? {});
  let pending: Promise<void> = Promise.resolve();
  let left = 0;
  let next = 0;

  function prune(): void {
    left = RUNS_BETWEEN;
    next = Date.now() + MS_BETWEEN;
    // The writes of a turn do not depend on it: where it fails, the next occasion is its next try.
    pending = pending.then(() => store.pruneRuns(retentionNow(limits))).then(ignore, ignore);
  }

  return {
    keepsRuns: option !== 'off',
    wrote(count) {
      if (limits.ms === undefined && limits.maxBytes === undefined) return;
      left -= count;
      if (left <= 0 || Date.now() >= next) prune();
    },
    settled: () => pending,
  };
}

/** How old runs may become, in milliseconds, and how many bytes they may have; what is absent is without a limit. */
interface Limits {
  readonly ms?: number | undefined;
  readonly maxBytes?: number | undefined;
}

function checked(option: Exclude<LedgerOption, 'off'>): Limits {
  checkOptionNames('ledger', option, { keep: true, maxBytes: true });
  const { keep, maxBytes } = option;
  const ms = keep === undefined ? undefined : parseDuration(keep);
  if (keep !== undefined && ms === undefined)
    throw new DefinitionError('bad_option', describeWrongDuration('ledger.keep', keep, 'of 0 or more'));
  if (maxBytes !== undefined && !(Number.isSafeInteger(maxBytes) && maxBytes >= 0))
    throw new DefinitionError('bad_option', 'ledger.maxBytes must be a whole number of 0 or more.');
  return { ms, maxBytes };
}

/** What a store is asked to keep now. */
export function retentionNow({ ms, maxBytes }: Limits): Retention {
  return {
    ...(ms !== undefined && { before: microsAgo(ms) }),
    ...(maxBytes !== undefined && { keepBytes: maxBytes }),
  };
}

function ignore(): void {}
