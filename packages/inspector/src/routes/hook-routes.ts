import type { Context, Hono } from 'hono';
import type { HookProject } from '../ports.ts';
import { type EventQuestion, makeEvent } from '../reads/make-event.ts';
import type { Source } from '../reads/read-threads.ts';
import { readWhy } from '../reads/read-why.ts';
import { notThere, readFields, wrongQuery } from './read-query.ts';

/** What is asked of the hooks of today. These load modules of the project, so they are no `GET`. */
export function addHookRoutes(app: Hono, source: Source, project: HookProject | undefined): void {
  app.post('/api/explain', async (c) => {
    const matrix = await readWhy(source, await readQuestion(c), project);
    if (matrix === null) throw notThere('message');
    return c.json(matrix);
  });
  const run = project?.run;
  if (run === undefined) return;
  app.post('/api/rerun', async (c) => {
    const remade = await makeEvent(source, await readQuestion(c));
    if (remade === null) throw notThere('message');
    // Loaded here, so that the link does not wait for it.
    const { compareRerun } = await import('../reads/compare-rerun.ts');
    return c.json(compareRerun(remade.event, await run(remade.event), source.showsContent));
  });
}

async function readQuestion(c: Context): Promise<EventQuestion> {
  const { thread, message, call } = await readFields(c);
  if (typeof thread !== 'string' || typeof message !== 'string')
    throw wrongQuery('thread and message must be texts');
  return { thread, message, call: typeof call === 'string' ? call : undefined };
}
