// Routes: the table of what can be asked for. The server registers it; each route reads its query, calls one room below and answers JSON.

import { isRecord, type Outcome, type RunFilter } from '@spec/hooks';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { decodeText } from '../address.ts';

/** A whole number of a query, within bounds. @throws HTTPException 400 */
export function readSize(c: Context, fallback: number, most = 200): number {
  const text = c.req.query('size');
  if (text === undefined) return fallback;
  const size = Number(text);
  if (!Number.isSafeInteger(size) || size < 1 || size > most) throw wrongQuery(`size must be 1 to ${most}`);
  return size;
}

/** The names among these that the query has, as they were given. */
export function readTexts<Name extends string>(
  c: Context,
  ...names: readonly Name[]
): { [K in Name]?: string } {
  const found: { [K in Name]?: string } = {};
  for (const name of names) {
    const text = c.req.query(name);
    if (text !== undefined && text !== '') found[name] = decodeText(text);
  }
  return found;
}

/** A part of the path, as it was meant. */
export function readPart(c: Context, name: string): string {
  return decodeText(c.req.param(name) ?? '');
}

/** The runs that a query means. @throws HTTPException 400 */
export function readRunFilter(c: Context): RunFilter {
  const { outcome, since, until, turn, ...texts } = readTexts(
    ...([c, 'thread', 'hook', 'id', 'outcome', 'since', 'until', 'turn'] as const),
  );
  const { thread: threadId, ...names } = texts;
  return {
    ...names,
    ...(threadId !== undefined && { threadId }),
    ...(outcome !== undefined && { outcome: outcome as Outcome }),
    ...(turn !== undefined && { turnId: turn === 'none' ? null : turn }),
    ...readTime('since', since),
    ...readTime('until', until),
  };
}

function readTime(name: 'since' | 'until', text: string | undefined): RunFilter {
  if (text === undefined) return {};
  const time = Number(text);
  if (!Number.isSafeInteger(time) || time < 0)
    throw wrongQuery(`${name} must be microseconds since the epoch`);
  return { [name]: time };
}

/** The fields of a request's body. @throws HTTPException 400 where it has none */
export async function readFields(c: Context): Promise<Readonly<Record<string, unknown>>> {
  const body: unknown = await c.req.json().catch(() => undefined);
  if (!isRecord(body)) throw wrongQuery('the body must be a JSON object');
  return body;
}

/** @returns what becomes an answer with status 400 */
export function wrongQuery(message: string): HTTPException {
  return new HTTPException(400, { message });
}

/** @returns what becomes an answer with status 404 */
export function notThere(what: string): HTTPException {
  return new HTTPException(404, { message: `There is no such ${what}.` });
}
