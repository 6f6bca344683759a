import { setTimeout as wait } from 'node:timers/promises';
import type { Records } from '@spec/hooks';
import type { LiveEvent } from '../api.ts';

/** Milliseconds between two looks, and between two answers while much is stored. */
const lookMs = 100;
const restMs = 250;

/** Says that something was stored or deleted, each time from now on. It ends with the signal. */
export async function* watchRecords(records: Records, signal: AbortSignal): AsyncGenerator<LiveEvent> {
  // The version first: what is stored before `ready` is read then is told once more, and not never.
  let version = await records.version();
  yield { kind: 'ready' };
  while (!signal.aborted) {
    const current = await records.version();
    if (current !== version) yield { kind: 'moved' };
    await sleep(current === version ? lookMs : restMs, signal);
    version = current;
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {});
}
