// An MCP server of the tests that answers as no library does, over stdio: `raw-server.mjs circle|endless|many|at-once|twice|calls|formless|deep`.
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
  'at-once': () => ({ tools: Array.from({ length: 150_000 }, (_, n) => tool(`t${n}`)) }),
  twice: () => ({ tools: [tool('pay', 'first'), tool('look', 'only'), tool('pay', 'second')] }),
  calls: () => ({
    tools: ['slow', 'go', 'older', 'task', ...Object.keys(invalid), ...Object.keys(refusals)].map((name) =>
      tool(name),
    ),
  }),
  formless: () => ({ tools: 7 }),
  deep: () =>
    `{"tools":[{"name":"t","inputSchema":{"type":"object","properties":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}}]}`,
};
/** A result as the first protocol had it, and a task, which only who asks for one may be given. */
const others = {
  older: { toolResult: { paid: true } },
  task: { task: { taskId: '1', status: 'working', createdAt: '2026-11-27T00:00:00Z', ttl: null } },
};
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
/** What `slow` is answered with as soon as `go` is called, and the other way round. */
const meeting = { slow: undefined, go: undefined };
const invalid = {
  number: { content: 7 },
  unknown: { content: [{ type: 'smell' }] },
  image: { content: [{ type: 'image', mimeType: 'image/png', data: '#' }] },
};
/** Errors with the codes that the SDK gives its own, when a connection is closed or a request takes too long. */
const refusals = {
  full: { code: -32000, message: 'the disk is full' },
  late: { code: -32001, message: 'the backend is late' },
};
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'raw', version: '1' },
  }),
  'tools/list': ({ cursor } = {}) => pages[how](cursor),
};

/** A result that is a text stands for JSON that JSON.stringify could not write. */
const answer = (id, result) => {
  const json = typeof result === 'string' ? result : JSON.stringify(result);
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}\n`);
};

const refuse = (id, error) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);

function meet(id, name) {
  meeting[name] = id;
  if (Object.values(meeting).includes(undefined)) return;
  for (const one of Object.values(meeting)) answer(one, text(process.pid));
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  if (params?.name in meeting) meet(id, params.name);
  else if (params?.name in refusals) refuse(id, refusals[params.name]);
  else answer(id, others[params?.name] ?? invalid[params?.name] ?? results[method]?.(params) ?? {});
}
