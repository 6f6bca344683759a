// A process that has MCP servers: `parent.ts exit|wait SERVER…`, each SERVER the JSON of its command and args. Says `ready`, then exits or waits.
import { type McpServerOptions, mcpServer } from '../../src/mcp/index.ts';

const [end, ...servers] = process.argv.slice(2);
for (const [at, json] of servers.entries()) {
  const options = JSON.parse(json) as McpServerOptions & { command: string };
  await mcpServer({
    ...options,
    name: `server-${at}`,
    env: { MCP_TEST_MARK: process.env.MCP_TEST_MARK ?? '' },
  });
}
process.stdout.write('ready\n');
if (end === 'exit') process.exit();
