import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { NamedRun, RunPage } from '../../api.ts';
import { type AskFailure, ask, makePath } from './ask.ts';
import { moved } from './live.ts';

/** What the log is narrowed to, as the address has it. */
export type LogQuery = Readonly<Partial<Record<'thread' | 'hook' | 'id' | 'outcome' | 'since', string>>>;

export interface Log {
  readonly runs: readonly NamedRun[] | undefined;
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

/** The runs that match, newest first, with those that come. */
export function useLog({ since, ...query }: LogQuery): Log {
  const runs = useSignal<readonly NamedRun[] | undefined>(undefined);
  const next = useSignal<string | null>(null);
  const failure = useSignal<AskFailure | undefined>(undefined);
  const isBusy = useRef(false);
  const read = (cursor?: string): Promise<RunPage> => {
    return ask(makePath(['api', 'runs'], { ...query, since: sinceMicros(since), cursor, size: '100' }));
  };
  const key = JSON.stringify([query, since]);
  useEffect(() => {
    runs.value = undefined;
  }, [key]);
  useEffect(() => {
    let isWanted = true;
    read().then(
      (page) => {
        if (!isWanted) return;
        failure.value = undefined;
        const joined = runs.value === undefined ? undefined : joinRuns(page.items, runs.value);
        if (joined === undefined) next.value = page.next;
        runs.value = joined ?? page.items;
      },
      (error: AskFailure) => {
        if (isWanted) failure.value = error;
      },
    );
    return () => {
      isWanted = false;
    };
  }, [key, moved.value]);
  const readMore = async (): Promise<void> => {
    if (isBusy.current || next.value === null) return;
    isBusy.current = true;
    const page = await read(next.value).catch(() => undefined);
    isBusy.current = false;
    if (page === undefined) return;
    runs.value = [...(runs.value ?? []), ...page.items];
    next.value = page.next;
  };
  return {
    runs: runs.value,
    hasMore: next.value !== null,
    failure: failure.value,
    readMore: () => void readMore(),
  };
}

/** The newest runs before those that were there; `undefined` where they do not meet. */
function joinRuns(newest: readonly NamedRun[], known: readonly NamedRun[]): readonly NamedRun[] | undefined {
  const last = newest.at(-1)?.run;
  const at = known.findIndex(({ run }) => run === last);
  return at < 0 ? undefined : [...newest, ...known.slice(at + 1)];
}
