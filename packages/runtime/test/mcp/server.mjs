// An MCP server of the tests, over stdio: `server.mjs [stubborn]`. A stubborn one ignores the end of its stdin and SIGTERM.
import { spawn } from 'node:child_process';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

if (process.argv.includes('stubborn')) {
  setInterval(() => {}, 1_000);
  process.on('SIGTERM', () => {});
}

const server = new McpServer({ name: 'tests', version: '1.0.0' }, { instructions: 'Ask for the pid first.' });
const text = (value) => ({
  content: [{ type: 'text', text: String(value) }],
});

server.registerTool('pid', {}, () => text(process.pid));
server.registerTool('crash', {}, () => process.exit(1));
/** Starts a process in the server's group that outlives it. */
server.registerTool('child', {}, () => text(spawn('sleep', ['600'], { stdio: 'ignore' }).pid ?? 0));
/** Starts a process that leaves the server's group. */
server.registerTool('detached', {}, () => {
  const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
  child.unref();
  return text(child.pid ?? 0);
});
/** Answers when the call was cancelled, into the next call of `cancelled`. */
let cancelled = 0;
server.registerTool('wait', {}, async ({ signal }) => {
  // On a busy machine the call and its end arrive together.
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  cancelled++;
  return text('cancelled');
});
server.registerTool('cancelled', {}, () => text(cancelled));
server.registerTool('grow', {}, () => {
  server.registerTool('grown', {}, () => text('new'));
  return text('grown');
});
server.registerTool('flood', {}, () => text('x'.repeat(11 * 1024 * 1024)));

process.stderr.write('ready\n');
await server.connect(new StdioServerTransport());
