// Server: puts the walls before the routes and listens. Embedders call it through `createInspector`; it binds no address but 127.0.0.1.

import { DefinitionError, RunError } from '@spec/hooks';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import type { AboutInspector, ApiFailure } from '../api.ts';
import type { InspectorOptions } from '../ports.ts';
import { addAskRoutes } from '../routes/ask-routes.ts';
import { addExportRoutes } from '../routes/export-routes.ts';
import { addHookRoutes } from '../routes/hook-routes.ts';
import { addLiveRoute } from '../routes/live-route.ts';
import { addRecordRoutes } from '../routes/record-routes.ts';
import { addSessionRoute } from '../routes/session-route.ts';
import type { Keys } from '../walls/keys.ts';
import { addPageRoutes, type PageFiles } from './page-files.ts';

const bodyBytes = 262_144;

/** What the routes are made of. */
export interface AppParts extends InspectorOptions {
  /** Absent: the application has a login of its own, before all of this. */
  readonly keys?: Keys;
  readonly files: PageFiles;
  /** Ends the streams. */
  readonly ended: AbortSignal;
}

/** All routes, behind the token. The walls stand before it. */
export function createApp({
  keys,
  files,
  ended,
  records,
  name = 'store',
  hooks: project,
  asks,
  showsContent = true,
}: AppParts): Hono {
  const app = new Hono();
  app.onError(answerFailure);
  app.notFound((c) => c.json(makeFailure('not_found', 'There is no such route.'), 404));
  app.use('/api/*', requireJson, bodyLimit({ maxSize: bodyBytes, onError: (c) => c.body(null, 413) }));
  if (keys !== undefined) {
    addSessionRoute(app, keys);
    app.use('/api/*', requireToken(keys));
  }
  const allows = [
    ...(project?.run === undefined ? [] : (['run'] as const)),
    ...(asks === undefined ? [] : (['answers'] as const)),
  ];
  const about: AboutInspector = { name, showsContent, allows };
  app.get('/api/about', (c) => c.json(about));
  addRecordRoutes(app, { records, showsContent }, project);
  addHookRoutes(app, { records, showsContent }, project);
  addExportRoutes(app, { records, showsContent }, name);
  if (asks !== undefined) addAskRoutes(app, records, asks);
  addLiveRoute(app, records, ended);
  addPageRoutes(app, files);
  return app;
}

function requireToken(keys: Keys): MiddlewareHandler {
  return async (c, next) => {
    const token = /^Bearer ([\w-]+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
    if (keys.isToken(token)) return next();
    return c.json(makeFailure('no_token', 'Open the page by the link of the terminal.'), 401);
  };
}

/** A form of another site can send other kinds of content without being asked first. */
async function requireJson(c: Context, next: () => Promise<void>): Promise<Response | undefined> {
  const type = c.req.header('content-type') ?? '';
  if (c.req.method === 'POST' && !/^application\/json(?:;|$)/i.test(type)) return c.body(null, 415);
  await next();
  return undefined;
}

/** Messages of our own errors hold no data; of others nothing is told. */
function answerFailure(error: Error, c: Context): Response {
  if (error instanceof HTTPException) {
    const code = { 404: 'not_found', 409: 'changed' }[error.status as number] ?? 'invalid_input';
    return c.json(makeFailure(code, error.message), error.status);
  }
  if (error instanceof RunError || error instanceof DefinitionError)
    return c.json(makeFailure(error.code, error.message), error.code === 'invalid_input' ? 400 : 500);
  return c.json(makeFailure('unexpected', 'The server could not answer.'), 500);
}

function makeFailure(code: string, message: string): ApiFailure {
  return { error: { code, message } };
}
