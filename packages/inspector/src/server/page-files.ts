import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import { isOfApi } from '../walls/judge-request.ts';

/** The files of the page by their paths, such as `/assets/page.js`; read once, so that no path of a request is ever joined. */
export type PageFiles = ReadonlyMap<string, PageFile>;

interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Where the built page is: beside the built server, or where the sources have it. */
const places = ['./page/', '../../dist/page/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** Reads the page that was built. */
export function readPageFiles(
  folder: string | undefined = places.find((place) => existsSync(join(place, 'index.html'))),
): PageFiles {
  if (folder === undefined) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.flatMap((name) => {
    const type = types[extname(name)];
    if (type === undefined) return [];
    const path = `/${name.replaceAll('\\', '/')}`;
    return [[path, { type, bytes: new Uint8Array(readFileSync(join(folder, name))) }] as const];
  });
  return new Map(files);
}

/** A path of the page is one of its views; a path with a dot is a file. */
export function addPageRoutes(app: Hono, files: PageFiles): void {
  app.get('/*', (c) => {
    const { path } = c.req;
    if (isOfApi(path)) return c.notFound();
    const file = files.get(path) ?? (path.startsWith('/assets/') ? undefined : files.get('/index.html'));
    if (file === undefined) return c.text('The page is not built: run npm run build.\n', 404);
    return c.body(file.bytes, 200, { 'content-type': file.type });
  });
}
