import type { Records } from '@spec/hooks';
import { sqliteReader } from '@spec/runtime/sqlite';
import { onTestFinished } from 'vitest';
import { createInspector, type InspectorOptions, type RunningInspector } from '../src/index.ts';
import type { PageFiles } from '../src/server/page-files.ts';

/** A page over a file, and what a browser does to get its token. */
export interface Served {
  readonly port: number;
  readonly records: Records;
  readonly inspector: RunningInspector;
  readonly token: string;
  /** What a route gives, as the page asks for it. */
  get<T>(path: string): Promise<T>;
}

/** Serves a file until the test ends. */
export async function serve(
  path: string,
  options: Partial<InspectorOptions> = {},
  files: PageFiles = new Map(),
): Promise<Served> {
  const records = sqliteReader({ path });
  const inspector = await createInspector({ records, name: 'support.db', ...options }, files).listen();
  onTestFinished(async () => {
    await inspector.close();
    await records.close();
  });
  const { port } = inspector;
  const key = new URL(inspector.makeLink()).hash.slice('#key='.length);
  const answer = await fetch(`http://127.0.0.1:${port}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  const { token } = (await answer.json()) as { token: string };
  const get = async <T>(route: string): Promise<T> => {
    const found = await fetch(`http://127.0.0.1:${port}${route}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await found.json()) as T;
  };
  return { port, records, inspector, token, get };
}
