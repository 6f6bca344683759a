import { ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CreateMessageRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { server, text, withGateway } from './kit.ts';

/** A server that uses everything that MCP has beside calls. */
const busy = (aborted: string[] = []) =>
  server('busy', (made) => {
    const { server: low } = made;
    low.registerCapabilities({ logging: {}, resources: { subscribe: true } });
    made.registerTool('progress', {}, async ({ _meta, sendNotification }) => {
      const { progressToken = 0 } = _meta ?? {};
      for (const progress of [1, 2])
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 2 },
        });
      return text('done');
    });
    made.registerTool('wait', {}, async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      aborted.push('wait');
      return text('never');
    });
    made.registerTool('sample', { inputSchema: { say: z.string() } }, async ({ say }) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: say } }];
      const { content } = await low.createMessage({ messages, maxTokens: 5 });
      return text(JSON.stringify(content));
    });
    made.registerTool('roots', {}, async () => text(JSON.stringify(await low.listRoots())));
    made.registerTool('who', {}, () =>
      text(JSON.stringify([low.getClientVersion(), low.getClientCapabilities()])),
    );
    made.registerTool('grow', {}, async () => {
      made.registerTool('grown', {}, () => text('new'));
      await low.sendLoggingMessage({ level: 'info', data: 'grown' });
      await low.sendResourceUpdated({ uri: 'busy://a' });
      await low.sendResourceUpdated({ uri: 'busy://b' });
      await low.sendResourceUpdated({ uri: 'busy://a/part' });
      return text('grown');
    });
    made.registerResource(
      'letter',
      new ResourceTemplate('busy://{letter}', { list: undefined, complete: { letter: () => ['a', 'b'] } }),
      {},
      (uri) => ({
        contents: [{ uri: uri.href, text: 'letter' }],
      }),
    );
    low.setRequestHandler(z.object({ method: z.literal('resources/subscribe') }), () => ({}));
  });

test('progress, cancellation, sampling, roots, logs, subscriptions and changes of lists are passed on', async () => {
  const aborted: string[] = [];
  const capabilities = { sampling: {}, roots: {} };
  await withGateway(
    {
      servers: [
        busy(aborted),
        server('other', (made) => void made.registerTool('quiet', {}, () => text(''))),
      ],
    },
    async ({ client }) => {
      const heard: unknown[] = [];
      client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => ({
        ...{
          role: 'assistant',
          model: 'm',
          content: { type: 'text', text: JSON.stringify(params.messages) },
        },
      }));
      client.setRequestHandler(z.object({ method: z.literal('roots/list') }), () => ({
        roots: [{ uri: 'file:///home' }],
      }));
      client.setNotificationHandler(
        LoggingMessageNotificationSchema,
        ({ params }) => void heard.push(params.data),
      );
      client.setNotificationHandler(
        ResourceUpdatedNotificationSchema,
        ({ params }) => void heard.push(params.uri),
      );
      const changed = new Promise<void>((resolve) =>
        client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
      );

      const progress: number[] = [];
      await client.callTool({ name: 'progress' }, undefined, {
        onprogress: (one) => void progress.push(one.progress),
      });
      expect(progress).toEqual([1, 2]);

      const stop = new AbortController();
      const waiting = client.callTool({ name: 'wait' }, undefined, { signal: stop.signal });
      await client.ping(); // What came before it has arrived.
      setTimeout(() => stop.abort(), 50);
      await expect(waiting).rejects.toThrow();
      await expect.poll(() => aborted).toEqual(['wait']);

      expect(JSON.stringify(await client.callTool({ name: 'sample', arguments: { say: 'hi' } }))).toContain(
        'hi',
      );
      expect(JSON.stringify(await client.callTool({ name: 'roots' }))).toContain('file:///home');
      const who = JSON.stringify(await client.callTool({ name: 'who' }));
      expect(who).toContain('tests');
      expect(who).toContain('sampling');

      const ref = { type: 'ref/resource' as const, uri: 'busy://{letter}' };
      const { completion } = await client.complete({ ref, argument: { name: 'letter', value: '' } });
      expect(completion.values).toEqual(['a', 'b']);
      await client.setLoggingLevel('debug');
      await client.subscribeResource({ uri: 'busy://a' });
      await client.callTool({ name: 'grow' });
      await changed;
      await expect.poll(() => heard).toEqual(['grown', 'busy://a', 'busy://a/part']);
      // What has come since the server was trusted is held back.
      expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('grown');
    },
    capabilities,
  );
});
