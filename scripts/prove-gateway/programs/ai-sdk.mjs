// The client of the AI SDK, which has an MCP of its own: `ai-sdk.mjs COMMAND ARG…` writes what it saw as JSON.
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { args, attempt, calls, command, tell } from './explore.mjs';

const transport = new Experimental_StdioMCPTransport({ command, args, env: { ...process.env } });
const client = await createMCPClient({ transport });
const seen = {
  welcome: [client.serverInfo, client.instructions],
  tools: await client.listTools(),
  resources: await client.listResources(),
  templates: await client.listResourceTemplates(),
  prompts: await client.listPrompts(),
  text: await client.readResource({ uri: 'test://static-text' }),
  prompt: await client.getPrompt({
    name: 'test_prompt_with_arguments',
    arguments: { arg1: 'a', arg2: 'b' },
  }),
  nothing: await attempt(() => client.callTool({ name: 'nothing', arguments: {} })),
};
const tools = await client.tools();
for (const [name, given] of Object.entries(calls))
  seen[name] = await tools[name].execute(given, { toolCallId: '1', messages: [] });
tell(seen);
await client.close();
