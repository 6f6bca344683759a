import { setTimeout as wait } from 'node:timers/promises';
import type { Records } from '@spec/hooks';
import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { LiveEvent } from '../api.ts';

const heartbeatMs = 15_000;

/** The stream of what is stored. */
export function addLiveRoute(app: Hono, records: Records, ended: AbortSignal): void {
  app.get('/api/live', (c) => {
    const response = streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      const heartbeat = setInterval(() => void stream.write(': alive\n\n'), heartbeatMs);
      try {
        for await (const event of watchRecords(records, AbortSignal.any([gone.signal, ended])))
          await stream.writeSSE({ data: JSON.stringify(event) });
      } catch {
        // The page asks again, and its views tell what is wrong with the records.
      } finally {
        clearInterval(heartbeat);
      }
    });
    response.headers.set('cache-control', 'no-store');
    return response;
  });
}

/** Milliseconds between two looks, and between two answers while much is stored. */
const lookMs = 100;
const restMs = 250;

/** Says that something was stored or deleted, each time from now on. It ends with the signal. */
async function* watchRecords(records: Records, signal: AbortSignal): AsyncGenerator<LiveEvent> {
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
