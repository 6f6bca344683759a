import type { Context, Hono } from 'hono';
import { exportLines, exportPage } from '../reads/export-conversation.ts';
import { exportRunLines, exportRunTable } from '../reads/read-runs.ts';
import { readThread, type Source } from '../reads/read-threads.ts';
import { notThere, readPart, readRunFilter, wrongQuery } from './read-query.ts';

/** Files to keep: a conversation, where its texts may be shown, and runs of hooks. None has a value of a hook. */
export function addExportRoutes(app: Hono, source: Source, name: string): void {
  app.get('/api/export/threads/:thread/:form', async (c) => {
    const [thread, form] = [readPart(c, 'thread'), readPart(c, 'form')];
    if (!source.showsContent) throw wrongQuery('texts are not shown here, and so not exported');
    if ((await readThread(source, thread)) === null) throw notThere('thread');
    if (form === 'html') return send(c, exportPage(source, thread, name), files.page);
    if (form === 'jsonl') return send(c, exportLines(source, thread), files.lines);
    throw notThere('form');
  });
  app.get('/api/export/runs/:form', (c) => {
    const form = readPart(c, 'form');
    const filter = readRunFilter(c);
    if (form === 'csv') return send(c, exportRunTable(source.records, filter), files.runTable);
    if (form === 'jsonl') return send(c, exportRunLines(source.records, filter), files.runLines);
    throw notThere('form');
  });
}

/** Their types and names, which are ours. */
const files = {
  page: ['text/html', 'conversation.html'],
  lines: ['application/jsonl', 'conversation.jsonl'],
  runTable: ['text/csv', 'runs.csv'],
  runLines: ['application/jsonl', 'runs.jsonl'],
} as const;

/** As a download: none of it is ever a page of this origin. */
function send(
  c: Context,
  texts: AsyncIterable<string>,
  [type, name]: readonly [type: string, name: string],
): Response {
  c.header('content-type', `${type}; charset=utf-8`);
  c.header('content-disposition', `attachment; filename="${name}"`);
  return c.body(ReadableStream.from(encode(texts)));
}

async function* encode(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}
