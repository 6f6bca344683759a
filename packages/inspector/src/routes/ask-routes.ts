import { createHash } from 'node:crypto';
import type { Records } from '@spec/hooks';
import type { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { AskList, EarlierAnswers, OpenAsk } from '../asks.ts';
import type { Asks } from '../ports.ts';
import { readAnswers } from '../reads/read-answers.ts';
import { notThere, readFields, readPart, wrongQuery } from './read-query.ts';

/** Questions that wait for a person. Only where the application hands them over: without them there is no such route. */
export function addAskRoutes(app: Hono, records: Records, asks: Asks): void {
  app.get('/api/asks', async (c) => {
    const open = await asks.list();
    const list: AskList = { asks: open.map((ask) => ({ ...ask, digest: digest(ask) })) };
    return c.json(list);
  });
  app.get('/api/asks/:thread/:id/earlier', async (c) => {
    const [thread, id] = [readPart(c, 'thread'), readPart(c, 'id')];
    const ask = (await asks.list()).find((one) => one.id === id && one.threadId === thread);
    if (ask === undefined) throw notThere('question');
    const earlier: EarlierAnswers = { answers: await readAnswers(records, ask) };
    return c.json(earlier);
  });
  app.post('/api/answers', async (c) => {
    const reply = readReply(await readFields(c));
    const ask = (await asks.list()).find(({ id, threadId }) => id === reply.id && threadId === reply.thread);
    if (ask === undefined) throw notThere('question');
    const { allow, reason } = reply;
    const answer = { allow, ...(reason !== undefined && { reason }) };
    if (digest(ask) !== reply.digest || !(await asks.answer(ask, answer))) throw changed();
    return c.json({ answered: true });
  });
}

/** What a person saw: another question has another one. */
function digest(ask: OpenAsk): string {
  return createHash('sha256').update(JSON.stringify(ask)).digest('base64url');
}

interface Reply {
  readonly thread: string;
  readonly id: string;
  readonly digest: string;
  readonly allow: boolean;
  readonly reason?: string;
}

/** @throws HTTPException 400 */
function readReply(given: Readonly<Record<string, unknown>>): Reply {
  const { thread, id, digest: seen, allow, reason } = given;
  if (typeof thread !== 'string' || typeof id !== 'string' || typeof seen !== 'string')
    throw wrongQuery('thread, id and digest must be texts');
  if (typeof allow !== 'boolean') throw wrongQuery('allow must be true or false');
  if (reason !== undefined && typeof reason !== 'string') throw wrongQuery('reason must be a text');
  return { thread, id, digest: seen, allow, ...(reason !== undefined && reason !== '' && { reason }) };
}

function changed(): HTTPException {
  return new HTTPException(409, { message: 'Somebody else answered it, or it is another question now.' });
}
