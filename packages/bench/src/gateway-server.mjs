// An MCP server over stdio that costs next to nothing, so that what stands before it shows.
import { createInterface } from 'node:readline';

const text = JSON.stringify({
  rows: Array.from({ length: 20 }, (_, n) => ({ id: n, name: `Row ${n}`, state: 'open' })),
});
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'rows', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined)
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.(params) ?? {} })}\n`,
    );
}
