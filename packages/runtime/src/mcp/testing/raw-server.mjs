// An MCP server of the tests that lists its tools as no library does, over stdio: `raw-server.mjs circle|endless|many|twice`.
import { createInterface } from 'node:readline';

const [, , how] = process.argv;
const tool = (name, description) => ({ name, description, inputSchema: { type: 'object' } });
let page = 0;
const pages = {
  circle: (cursor) => ({ tools: [], nextCursor: cursor === 'a' ? 'b' : 'a' }),
  endless: () => ({ tools: [], nextCursor: `page ${++page}` }),
  many: () => ({
    tools: Array.from({ length: 5_001 }, (_, n) => tool(`t${page}_${n}`)),
    nextCursor: `page ${++page}`,
  }),
  twice: () => ({ tools: [tool('pay', 'first'), tool('look', 'only'), tool('pay', 'second')] }),
};
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'raw', version: '1' },
  }),
  'tools/list': ({ cursor } = {}) => pages[how](cursor),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  process.stdout.write(
    `${JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.(params) ?? {} })}\n`,
  );
}
