import type { Hono } from 'hono';
import type { HitPage, RunSeries, TurnDetail, TurnPage } from '../api.ts';
import type { HookProject } from '../ports.ts';
import { cacheSums } from '../reads/cache-sums.ts';
import { rememberProject } from '../reads/list-project.ts';
import { readChain, readConversation } from '../reads/read-conversation.ts';
import { readHook, readHooks } from '../reads/read-hooks.ts';
import { readMessage } from '../reads/read-messages.ts';
import { nameRuns, readRun, readRuns } from '../reads/read-runs.ts';
import { readSent } from '../reads/read-sent.ts';
import { readThread, readThreads, type Source } from '../reads/read-threads.ts';
import { notThere, readPart, readRunFilter, readSize, readTexts, wrongQuery } from './read-query.ts';

/** What is read of a store. */
export function addRecordRoutes(app: Hono, source: Source, project: HookProject | undefined): void {
  addThreadRoutes(app, source);
  const { records } = source;
  const cache = cacheSums(records);
  const listProject = rememberProject(project);
  app.get('/api/runs', async (c) => {
    const { cursor, order = 'newest' } = readTexts(c, 'cursor', 'order');
    if (order !== 'newest' && order !== 'oldest') throw wrongQuery('order must be newest or oldest');
    return c.json(await readRuns(records, { ...readRunFilter(c), order, size: readSize(c, 100), cursor }));
  });
  app.get('/api/runs/:name', async (c) => {
    const run = await readRun(
      records,
      readPart(c, 'name'),
      source.showsContent && c.req.query('values') === '1',
    );
    if (run === null) throw notThere('run');
    return c.json(run);
  });
  app.get('/api/hooks', async (c) => c.json(await readHooks(cache, listProject)));
  app.get('/api/hooks/:hook/:id', async (c) => {
    const found = await readHook(
      records,
      { hook: readPart(c, 'hook'), id: readPart(c, 'id') },
      { cache, listProject },
    );
    if (found === null) throw notThere('hook');
    return c.json(found);
  });
  addTimeRoutes(app, source);
  app.get('/api/stats', async (c) => c.json({ hooks: await records.stats(readRunFilter(c)) }));
}

function addThreadRoutes(app: Hono, source: Source): void {
  app.get('/api/threads', async (c) => {
    const { parent, cursor, agent: agentId } = readTexts(c, 'parent', 'cursor', 'agent');
    const query = {
      ...(agentId !== undefined && { agentId }),
      ...(parent !== undefined && { parentId: parent === 'none' ? null : parent }),
    };
    return c.json(await readThreads(source, { ...query, size: readSize(c, 50), cursor }));
  });
  app.get('/api/threads/:thread', async (c) => {
    const thread = await readThread(source, readPart(c, 'thread'));
    if (thread === null) throw notThere('thread');
    return c.json(thread);
  });
  app.get('/api/threads/:thread/messages', async (c) => {
    const place = { ...readTexts(c, 'before', 'after', 'around'), size: readSize(c, 100) };
    const page = await readConversation(source, readPart(c, 'thread'), place);
    if (page === null) throw notThere('message');
    return c.json(page);
  });
  app.get('/api/threads/:thread/messages/:message', async (c) => {
    const [thread, message] = [readPart(c, 'thread'), readPart(c, 'message')];
    const found = await readMessage(source, thread, message);
    if (found === null) throw notThere('message');
    return c.json(found);
  });
  app.get('/api/threads/:thread/messages/:message/chain', async (c) => {
    const chain = await readChain(source, {
      thread: readPart(c, 'thread'),
      message: readPart(c, 'message'),
      withValues: c.req.query('values') === '1',
    });
    if (chain === null) throw notThere('message');
    return c.json(chain);
  });
}

function addTimeRoutes(app: Hono, source: Source): void {
  const { records, showsContent } = source;
  app.get('/api/search', async (c) => {
    const { text = '', thread: threadId, cursor } = readTexts(c, 'text', 'thread', 'cursor');
    if (text.length < 2) throw wrongQuery('text must have 2 characters or more');
    if (!showsContent) throw wrongQuery('texts are not shown here, and so not searched');
    const query = { text, clip: excerptSize, size: readSize(c, 50), cursor };
    const hits: HitPage = await records.search({ ...query, ...(threadId !== undefined && { threadId }) });
    return c.json(hits);
  });
  app.get('/api/threads/:thread/turns', async (c) => {
    const turns: TurnPage = await records.turns(readPart(c, 'thread'), {
      size: readSize(c, 50),
      ...readTexts(c, 'cursor'),
    });
    return c.json(turns);
  });
  app.get('/api/threads/:thread/turns/:turn', async (c) => {
    const [thread, turn] = [readPart(c, 'thread'), readPart(c, 'turn')];
    const { runs, marks } = await records.turn(thread, turn);
    if (runs.length + marks.length === 0) throw notThere('turn');
    const detail: TurnDetail = { runs: nameRuns(runs), marks };
    return c.json(detail);
  });
  app.get('/api/threads/:thread/turns/:turn/sent/:step', async (c) => {
    const question = {
      thread: readPart(c, 'thread'),
      turn: readPart(c, 'turn'),
      step: Number(readPart(c, 'step')),
    };
    const sent = await readSent(source, question);
    if (sent === null) throw notThere('call of a model');
    return c.json(sent);
  });
  app.get('/api/series', async (c) => {
    const { since, until, ...filter } = readRunFilter(c);
    if (since === undefined || until === undefined) throw wrongQuery('since and until must be given');
    const query = { ...filter, since, until, buckets: readSize(c, 96, 500) };
    const series: RunSeries = { buckets: await records.series(query) };
    return c.json(series);
  });
}

/** Characters around what was found. */
const excerptSize = 200;
