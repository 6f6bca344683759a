import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { redact } from '@spec/builtins';
import { createGateway } from '@spec/gateway';
import { defineHook } from '@spec/hooks';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'guard-mcp-server-')));
writeFileSync(join(folder, 'order.txt'), 'Order A-1042, paid with 4111 1111 1111 1111.\n');
writeFileSync(join(folder, 'server.pem'), 'A key.\n');

const noKeys = defineHook({
  hook: 'before_tool_call',
  id: 'no_keys',
  match: { tools: 'mcp__files__*', paths: '**/*.pem' },
  execute: async () => ({ decision: 'deny', reason: 'Keys are not for reading.' }),
});

// "spec-hooks gateway --config FILE" does this for clients that start their servers by themselves.
const filesystem = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
);
const gateway = createGateway({
  servers: [
    {
      name: 'files',
      open: () =>
        new StdioClientTransport({ command: process.execPath, args: [filesystem, folder], stderr: 'ignore' }),
    },
  ],
  policies: [noKeys, ...redact().filter(({ hook }) => hook === 'before_store_tool_result')],
  onRun: ({ id, outcome }) => console.log(`  ${id}: ${outcome}`),
});

const [ours, theirs] = InMemoryTransport.createLinkedPair();
await gateway.connect(theirs as Transport);
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(ours);

for (const file of ['order.txt', 'server.pem']) {
  console.log(`read_text_file ${file}`);
  const { content } = await client.callTool({
    name: 'read_text_file',
    arguments: { path: join(folder, file) },
  });
  for (const block of content as { text?: string }[]) console.log(`> ${block.text?.trim()}`);
}

await gateway.close();
rmSync(folder, { recursive: true });
