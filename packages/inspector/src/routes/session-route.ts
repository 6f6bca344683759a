import type { Hono } from 'hono';
import type { Keys } from '../walls/keys.ts';
import { readFields } from './read-query.ts';

/** Gives the token for the key of a link, once. */
export function addSessionRoute(app: Hono, keys: Keys): void {
  app.post('/api/session', async (c) => {
    const { key } = await readFields(c);
    const token = typeof key === 'string' ? keys.exchangeKey(key) : undefined;
    if (token !== undefined) return c.json({ token });
    const message =
      'This link was used already, or is of another run. Press Enter in the terminal for another one.';
    return c.json({ error: { code: 'link_used', message } }, 403);
  });
}
