// An MCP server of the tests, over stdio: `mcp-server.mjs FILE`. What FILE says is the description of `pay`.
import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const [, , file] = process.argv;
const server = new McpServer({ name: 'tests', version: '1.0.0' });
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });

server.registerTool('pay', { description: readFileSync(file, 'utf8') }, () =>
  text('Paid with 4111 1111 1111 1111.'),
);
server.registerTool('pid', {}, () => text(process.pid));
server.registerTool('token', {}, () => text(process.env.TOKEN));
/** Tells its process id as its progress, and never ends. */
server.registerTool('wait', {}, async ({ _meta: { progressToken }, sendNotification }) => {
  await sendNotification({
    method: 'notifications/progress',
    params: { progressToken, progress: process.pid },
  });
  await new Promise(() => {});
});

await server.connect(new StdioServerTransport());
