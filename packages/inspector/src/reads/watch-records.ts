import { setTimeout as wait } from 'node:timers/promises';
import type { Records } from '@spec/hooks';
import type { LiveEvent } from '../api.ts';
import { nameRuns } from './name-runs.ts';

/** Milliseconds between two looks, and between two answers while much is stored. */
const lookMs = 100;
const restMs = 250;
/** Runs that are sent with one answer; of more the page is told that there were. */
const runsAtOnce = 200;

/** What is stored from now on, or since a cursor, as it comes. It ends with the signal. */
export async function* watchRecords(
  records: Records,
  signal: AbortSignal,
  after?: string,
): AsyncGenerator<LiveEvent> {
  // The version first: what is stored between the two is then told twice, and not never.
  let version = after === undefined ? await records.version() : undefined;
  let cursor = after ?? (await records.cursorAt());
  yield { kind: 'ready', cursor };
  while (!signal.aborted) {
    const current = await records.version();
    if (current === version) {
      await sleep(lookMs, signal);
      continue;
    }
    version = current;
    const runs = [];
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      const news = await records.since(cursor);
      if (runs.length < runsAtOnce) runs.push(...news.runs);
      ({ cursor, hasMore } = news);
    }
    yield { kind: 'moved', cursor, runs: nameRuns(runs.slice(-runsAtOnce)), more: runs.length > runsAtOnce };
    await sleep(restMs, signal);
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {});
}
