// The client of the SDK at a server that is a process: `sdk.mjs COMMAND ARG…` writes what it saw as JSON.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { args, attempt, calls, command, tell } from './explore.mjs';

const client = new Client({ name: 'sdk', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command, args, env: { ...process.env } }));
const seen = {
  welcome: [client.getServerVersion(), client.getInstructions()],
  tools: await client.listTools(),
  resources: await client.listResources(),
  templates: await client.listResourceTemplates(),
  prompts: await client.listPrompts(),
  text: await client.readResource({ uri: 'test://static-text' }),
  made: await client.readResource({ uri: 'test://template/7/data' }),
  prompt: await client.getPrompt({
    name: 'test_prompt_with_arguments',
    arguments: { arg1: 'a', arg2: 'b' },
  }),
  nothing: await attempt(() => client.callTool({ name: 'nothing' })),
  nowhere: await attempt(() => client.readResource({ uri: 'test://nowhere' })),
};
for (const [name, given] of Object.entries(calls))
  seen[name] = await client.callTool({ name, arguments: given });
tell(seen);
await client.close();
