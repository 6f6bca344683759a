import type { Records } from '@spec/hooks';
import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { watchRecords } from '../reads/watch-records.ts';

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
