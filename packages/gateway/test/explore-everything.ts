import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** How `@modelcontextprotocol/server-everything` is started. */
export const everything: readonly [string, ...string[]] = [
  process.execPath,
  fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js')),
  'stdio',
];

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
export async function explore(client: Client): Promise<Readonly<Record<string, unknown>>> {
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

/** All that a client finds at a server that is a process. */
export async function exploreCommand(
  [command, ...args]: readonly [string, ...string[]],
  env: Record<string, string>,
): Promise<Readonly<Record<string, unknown>>> {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }) as Transport);
  try {
    return await explore(client);
  } finally {
    await client.close();
  }
}
