import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { redact } from '@spec/builtins';
import { defineHook } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt } from '@spec/runtime';
import { mcpServer } from '@spec/runtime/mcp';
import { scriptedModel } from '@spec/runtime/testing';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'use-mcp-server-')));
writeFileSync(join(folder, 'order.txt'), 'Order A-1042, paid with 4111 1111 1111 1111.\n');

// The server is a process of its own: it sees this folder, and of the environment only what it needs to run.
const files = await mcpServer({
  name: 'files',
  command: process.execPath,
  args: [fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')), folder],
  tools: ['list_directory', 'read_text_file', 'write_file'],
  permission: ({ annotations }) => (annotations?.readOnlyHint === true ? 'allow' : 'ask'),
});
console.log(`Tools: ${files.toolNames.join(', ')}`);

const noKeys = defineHook({
  hook: 'before_tool_call',
  id: 'no_keys',
  match: { tools: 'mcp__files__*', paths: '**/*.pem' },
  execute: async (_state) => ({ decision: 'deny', reason: 'Keys are not for reading.' }),
});

const call = (name: string, input: Record<string, unknown>) => ({
  toolCalls: [{ name: `mcp__files__${name}`, input }],
});
const model = scriptedModel([
  call('list_directory', { path: folder }),
  call('read_text_file', { path: join(folder, 'order.txt') }),
  call('read_text_file', { path: join(folder, 'server.pem') }),
  call('write_file', { path: join(folder, 'note.txt'), content: 'Paid.' }),
  call('read_text_file', { path: '/etc/passwd' }),
  'The order is paid.',
]);

const runtime = createRuntime({
  policies: [noKeys, ...redact()],
  models: { scripted: model },
  tools: files.tools,
  prompts: [definePrompt({ name: 'clerk', tools: files.toolNames })],
  agents: [defineAgent({ name: 'clerk', prompt: 'clerk' })],
  onAsk: (ask) => {
    if (ask.about === 'tool_call') console.log(`May it call ${ask.tool}? No.`);
    return false;
  },
});

const thread = await runtime.createThread({ agent: 'clerk' });
const { text } = await thread.send('Is order A-1042 paid?');
for (const { role, content } of await thread.messages()) {
  if (role === 'tool') console.log(`> ${content?.trim().replaceAll(folder, '…')}`);
}
console.log(text);

await runtime.close();
await files.close();
rmSync(folder, { recursive: true });
