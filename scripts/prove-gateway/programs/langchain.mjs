// The MCP adapters of LangChain, over the SDK: `langchain.mjs COMMAND ARG…` writes what its tools are and give as JSON.
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { args, attempt, calls, command, tell } from './explore.mjs';

const client = new MultiServerMCPClient({
  mcpServers: { tested: { transport: 'stdio', command, args, env: { ...process.env } } },
});
const tools = await client.getTools();
const seen = { tools: tools.map(({ name, description, schema }) => ({ name, description, schema })) };
for (const [name, given] of Object.entries(calls)) {
  const tool = tools.find((one) => one.name === name);
  seen[name] = await attempt(() => tool.invoke({ args: given, type: 'tool_call', id: '1', name }));
}
tell(seen);
await client.close();
