import { type Signal, signal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { NamedRun, RunPage } from '../../api.ts';
import { ask, makePath } from './ask.ts';
import { type AskFailure, useRetry } from './failure.ts';
import { moved } from './pace.ts';

/** What the log is narrowed to, as the address has it. */
export type LogQuery = Readonly<Partial<Record<'thread' | 'hook' | 'id' | 'outcome' | 'since', string>>>;

export interface Log {
  readonly runs: readonly NamedRun[] | undefined;
  /** How many runs came that are not shown yet. */
  readonly held: number;
  /** Whether there are more of these than were counted. */
  readonly isHeldMore: boolean;
  /** Shows them. */
  readonly takeIn: () => void;
  readonly hasMore: boolean;
  readonly failure: AskFailure | undefined;
  readonly readMore: () => void;
}

const spans: Readonly<Record<string, number>> = { '15m': 15, '1h': 60, '24h': 1_440, '7d': 10_080 };

/** Where a time of the address begins, in microseconds since the epoch. */
export function sinceMicros(since: string | undefined): string | undefined {
  const minutes = spans[since ?? ''];
  return minutes === undefined ? undefined : String((Date.now() - minutes * 60_000) * 1_000);
}

/** Runs that a page has, and pages that are read to count what came. */
const size = '100';
const pagesCounted = 5;

interface Held {
  readonly runs: readonly NamedRun[];
  /** Where the next page begins, if these do not reach those that are shown. */
  readonly next: string | null | undefined;
}

const nothing: Held = { runs: [], next: undefined };

/**
 * The runs that match, newest first.
 * @param isFollowing whether what comes is shown at once; else it is counted until one asks for it
 */
export function useLog({ since, ...query }: LogQuery, isFollowing: boolean): Log {
  const key = JSON.stringify([query, since]);
  const log = useMemo(
    () =>
      holdLog((cursor) =>
        ask(makePath(['api', 'runs'], { ...query, since: sinceMicros(since), cursor, size })),
      ),
    [key],
  );
  useLayoutEffect(() => void log.update(isFollowing), [log, moved.value, isFollowing]);
  useRetry(log.failure.value, () => void log.update(isFollowing));
  return {
    runs: log.runs.value,
    held: log.held.value.runs.length,
    isHeldMore: log.held.value.next != null,
    hasMore: log.next.value !== null,
    failure: log.failure.value,
    takeIn: log.takeIn,
    readMore: () => void log.readMore(),
  };
}

interface HeldLog {
  readonly runs: Signal<readonly NamedRun[] | undefined>;
  readonly held: Signal<Held>;
  readonly next: Signal<string | null>;
  readonly failure: Signal<AskFailure | undefined>;
  update(isFollowing: boolean): Promise<void>;
  takeIn(): void;
  readMore(): Promise<void>;
}

function holdLog(read: (cursor?: string) => Promise<RunPage>): HeldLog {
  const runs = signal<readonly NamedRun[] | undefined>(undefined);
  const held = signal(nothing);
  const next = signal<string | null>(null);
  const failure = signal<AskFailure | undefined>(undefined);
  let isBusy = false;
  /** What was asked before the list changed is not put before it again. */
  let asked = 0;
  const takeIn = (): void => {
    asked++;
    const { runs: came, next: end } = held.value;
    if (end !== undefined) next.value = end;
    runs.value = end === undefined ? [...came, ...(runs.value ?? [])] : came;
    held.value = nothing;
  };
  return {
    ...{ runs, held, next, failure, takeIn },
    async update(isFollowing) {
      const mine = ++asked;
      try {
        const came = await readNew(read, runs.value);
        if (mine !== asked) return;
        failure.value = undefined;
        held.value = came;
        if (isFollowing || runs.value === undefined) takeIn();
      } catch (error) {
        if (mine === asked) failure.value = error as AskFailure;
      }
    },
    async readMore() {
      if (isBusy) return;
      isBusy = true;
      // A page looks at a bounded piece of the ledger: it may be empty and not the last one.
      for (let isFound = false; !isFound && next.value !== null; ) {
        const page = await read(next.value).catch(() => undefined);
        if (page === undefined) break;
        isFound = page.items.length > 0;
        runs.value = [...(runs.value ?? []), ...page.items];
        next.value = page.next;
      }
      isBusy = false;
    },
  };
}

/** The runs before those that are known; where they do not meet, the newest ones and where these end. */
async function readNew(
  read: (cursor?: string) => Promise<RunPage>,
  known: readonly NamedRun[] | undefined,
): Promise<Held> {
  const found: NamedRun[] = [];
  let page = await read();
  const first = known?.[0]?.run;
  if (known?.length === 0) return { runs: page.items, next: page.items.length > 0 ? page.next : undefined };
  for (let pages = 1; ; pages++) {
    const met = page.items.findIndex(({ run }) => run === first);
    if (met >= 0) return { runs: [...found, ...page.items.slice(0, met)], next: undefined };
    found.push(...page.items);
    if (known === undefined || page.next === null || pages === pagesCounted)
      return { runs: found, next: page.next };
    page = await read(page.next);
  }
}
