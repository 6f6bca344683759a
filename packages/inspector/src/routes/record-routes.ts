import type { Hono } from 'hono';
import { readConversation } from '../reads/read-conversation.ts';
import { readMessage } from '../reads/read-messages.ts';
import { readRun, readRuns } from '../reads/read-runs.ts';
import { readThread, readThreads, type Source } from '../reads/read-threads.ts';
import { notThere, readRunFilter, readSize, readTexts, wrongQuery } from './read-query.ts';

/** What is read of a store. */
export function addRecordRoutes(app: Hono, source: Source): void {
  addThreadRoutes(app, source);
  const { records } = source;
  app.get('/api/runs', async (c) => {
    const { cursor, order = 'newest' } = readTexts(c, 'cursor', 'order');
    if (order !== 'newest' && order !== 'oldest') throw wrongQuery('order must be newest or oldest');
    return c.json(await readRuns(records, { ...readRunFilter(c), order, size: readSize(c, 100), cursor }));
  });
  app.get('/api/runs/:name', async (c) => {
    const run = await readRun(
      records,
      c.req.param('name'),
      source.showsContent && c.req.query('values') === '1',
    );
    if (run === null) throw notThere('run');
    return c.json(run);
  });
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
    const thread = await readThread(source, c.req.param('thread'));
    if (thread === null) throw notThere('thread');
    return c.json(thread);
  });
  app.get('/api/threads/:thread/messages', async (c) => {
    const place = { ...readTexts(c, 'before', 'after', 'around'), size: readSize(c, 100) };
    const page = await readConversation(source, c.req.param('thread'), place);
    if (page === null) throw notThere('message');
    return c.json(page);
  });
  app.get('/api/threads/:thread/messages/:message', async (c) => {
    const { thread, message } = c.req.param();
    const found = await readMessage(source, thread, message);
    if (found === null) throw notThere('message');
    return c.json(found);
  });
}
