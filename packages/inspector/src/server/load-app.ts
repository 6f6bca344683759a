import type { RequestListener } from 'node:http';
import { setImmediate as letOthersGoFirst } from 'node:timers/promises';
import type { Hono } from 'hono';
import type { AppParts } from './create-app.ts';

// What answers requests takes longer to load than all that comes before the link. A browser takes longer yet until it asks for anything.

/** Gives the routes, loaded once whoever asked for the page has gone on. */
export async function loadApp(parts: AppParts): Promise<Hono> {
  await letOthersGoFirst();
  const { createApp } = await import('./create-app.ts');
  return createApp(parts);
}

/** Gives what answers requests of `node:http`. Those that come before it is loaded wait for it. */
export function loadListener(answer: (request: Request) => Response | Promise<Response>): RequestListener {
  const loaded = letOthersGoFirst()
    .then(() => import('@hono/node-server'))
    .then(({ getRequestListener }) => getRequestListener(answer, { overrideGlobalObjects: false }));
  return (request, response) => void loaded.then((listen) => listen(request, response));
}
