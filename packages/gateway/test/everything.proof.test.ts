import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect, onTestFinished, test } from 'vitest';
import { withGateway } from './kit.ts';

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const open = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: [program, 'stdio'],
    stderr: 'ignore',
  }) as Transport;

const calls: Readonly<Record<string, Record<string, unknown>>> = {
  echo: { message: 'hello' },
  'get-sum': { a: 2, b: 3 },
  'get-structured-content': { location: 'New York' },
  'get-tiny-image': {},
  'get-annotated-message': { messageType: 'success', includeImage: true },
  'get-resource-links': { count: 3 },
  'get-resource-reference': { resourceType: 'Text', resourceId: 1 },
};

/** All that a client finds at a server, without what is made anew each time. */
async function explore(client: Client): Promise<unknown> {
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  const results = [];
  for (const [name, args] of Object.entries(calls))
    results.push(await client.callTool({ name, arguments: args }));
  for (const { uri } of resources.slice(0, 3)) results.push(await client.readResource({ uri }));
  for (const { name, arguments: wanted = [] } of prompts)
    if (wanted.every(({ required }) => required !== true)) results.push(await client.getPrompt({ name }));
  const failed = await client
    .callTool({ name: 'get-sum', arguments: { a: 'no' } })
    .catch((error) => String(error));
  const welcome = [client.getServerVersion(), client.getInstructions()];
  const { resourceTemplates } = await client.listResourceTemplates();
  const found = { welcome, tools, prompts, resources, resourceTemplates, results, failed };
  return JSON.parse(
    JSON.stringify(found).replaceAll(/\d{1,2}:\d{2}:\d{2}( [AP]M)?|\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME'),
  );
}

test('server-everything is behind the gateway what it is without it', { timeout: 120_000 }, async () => {
  const alone = new Client({ name: 'tests', version: '1.0.0' });
  onTestFinished(() => alone.close());
  await alone.connect(open());
  const expected = await explore(alone);
  await withGateway({ servers: [{ name: 'everything', open }] }, async ({ client }) => {
    expect(await explore(client)).toEqual(expected);
  });
});
