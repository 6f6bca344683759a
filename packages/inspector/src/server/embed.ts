import type { IncomingMessage, ServerResponse } from 'node:http';
import { DefinitionError } from '@spec/hooks';
import type { InspectorOptions } from '../ports.ts';
import { judgeEmbedded } from '../walls/judge-embedded.ts';
import { responseHeaders } from '../walls/response-headers.ts';
import { loadApp, loadListener } from './load-app.ts';
import type { PageFiles } from './page-files.ts';

/** Where the page stands in a server of somebody else. */
export interface EmbedOptions {
  /** The path that it stands at, such as `/admin/hooks`. All paths under it are its own. */
  readonly base: string;
}

/** A page inside of a server of yours. */
export interface EmbeddedInspector {
  /** For servers that take a `Request`, such as hono: `app.all('/admin/hooks/*', (c) => inspector.fetch(c.req.raw))`. */
  fetch(request: Request): Promise<Response>;
  /** For servers of `node:http`, and what is built on them, such as Express. */
  listener(request: IncomingMessage, response: ServerResponse): void;
  /** Ends open streams. */
  close(): void;
}

/** Answers requests under a path, without a key. @throws DefinitionError `bad_option` */
export function embedInspector(
  options: InspectorOptions,
  { base }: EmbedOptions,
  files: PageFiles,
): EmbeddedInspector {
  if (!/^(?:\/[\w.~-]+)+$/.test(base)) {
    const message = `createInspector: base must be a path such as /admin/hooks, without a slash at its end; got ${JSON.stringify(base)}.`;
    throw new DefinitionError('bad_option', message);
  }
  const end = new AbortController();
  const app = loadApp({ ...options, files: placeFiles(files, base), ended: end.signal });
  const answer = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname;
    const inside = path === base || path.startsWith(`${base}/`);
    const refusal = inside ? judgeEmbedded(request, path.slice(base.length)) : 404;
    if (refusal !== undefined) return new Response(null, { status: refusal, headers: responseHeaders });
    const response = await (await app).fetch(moveUp(request, base));
    for (const [name, value] of Object.entries(responseHeaders)) response.headers.set(name, value);
    return response;
  };
  return {
    fetch: answer,
    listener: loadListener(answer),
    close: () => end.abort(),
  };
}

/** The request as the app knows it: as if it stood at the top. */
function moveUp(request: Request, base: string): Request {
  const url = new URL(request.url);
  url.pathname = url.pathname.slice(base.length) || '/';
  return new Request(url, request);
}

/** The page that knows where it stands. */
function placeFiles(files: PageFiles, base: string): PageFiles {
  const index = files.get('/index.html');
  if (index === undefined) return files;
  const html = new TextDecoder()
    .decode(index.bytes)
    .replace('<html', `<html data-base="${base}" data-login="application"`)
    .replaceAll('="/assets/', `="${base}/assets/`);
  return new Map([...files, ['/index.html', { ...index, bytes: new TextEncoder().encode(html) }]]);
}
