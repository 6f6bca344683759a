// An MCP server over stdio that does harm in one way: `malicious.mjs WAY`. Each way but the last begins with a call of its tool.
import { createInterface } from 'node:readline';

const [, , way] = process.argv;
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const say = (id, text) => write({ id, result: { content: [{ type: 'text', text }] } });
const log = { method: 'notifications/message', params: { level: 'info', data: 'x'.repeat(200) } };
let lists = 0;

const ways = {
  /** One message of 64 MB. */
  huge: (id) => say(id, 'x'.repeat(64 * 1024 * 1024)),
  /** No answer. */
  slow: () => {},
  /** Answers to what nobody has asked. */
  'wrong ids': (id) => {
    for (let n = 1; n <= 100; n++) say(id + n * 1_000, 'mine');
  },
  /** What is no message at all, and then nothing. */
  garbage: () => process.stdout.write(`${'not JSON\n'.repeat(1_000)}{"jsonrpc":"1.0"}\n[]\nnull\n`),
  /** Notifications without end. */
  flood: () => setInterval(() => Array.from({ length: 5_000 }, () => write(log)), 1),
  /** Another list each time, told of without end. */
  'changing lists': (id) => {
    setInterval(() => write({ method: 'notifications/tools/list_changed' }), 1);
    setTimeout(() => say(id, 'done'), 500);
  },
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true }, logging: {} },
    serverInfo: { name: 'malicious', version: '1.0.0' },
  }),
  'tools/list': () => ({
    tools: [
      { name: 'harm', inputSchema: { type: 'object' } },
      ...(way === 'changing lists' ? [{ name: `harm_${lists++}`, inputSchema: { type: 'object' } }] : []),
    ],
  }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'tools/call') ways[way](id);
  else if (id !== undefined) write({ id, result: answers[method]?.(params) ?? {} });
}
