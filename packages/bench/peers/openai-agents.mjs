// OpenAI Agents SDK: a session of our own over SQLite that gives the last 20 items; an output guardrail of the tool and a model input filter as hooks.
import { Agent, Runner, setTracingDisabled, tool, Usage } from '@openai/agents';
import { conversation } from '../src/conversation.ts';
import {
  ANSWER,
  INPUT,
  log,
  newest,
  QUESTION,
  RESULT,
  redacted,
  stamp,
  TOOL,
  WINDOW,
} from '../src/turn/workload.ts';
import { openRows } from './rows.mjs';

setTracingDisabled(true);

export async function connect(options) {
  const rows = openRows(options);
  const agent = new Agent({ name: 'agent', instructions: '', model, tools: [getOrder()] });
  agent.on('agent_tool_end', (_context, called) => log({ tool: called.name }));
  const runner = new Runner({
    tracingDisabled: true,
    callModelInputFilter: ({ modelData }) => ({ ...modelData, input: withCalls(newest(modelData.input)) }),
    sessionInputCallback: (history, items) => [...history, ...items],
  });
  let threads = 0;
  return {
    async thread(length) {
      const thread = `thread-${threads++}`;
      rows.addAll(thread, 0, conversation(length).map(toItem));
      const session = sessionOf(rows, thread, length);
      return () => runner.run(agent, QUESTION, { session });
    },
    close: () => rows.close(),
  };
}

function getOrder() {
  return tool({
    name: TOOL,
    description: 'Looks up an order.',
    strict: false,
    parameters: {
      type: 'object',
      properties: { order: { type: 'number' } },
      required: [],
      additionalProperties: true,
    },
    execute: async () => redacted(RESULT),
  });
}

function sessionOf(rows, thread, length) {
  let seq = length;
  return {
    getSessionId: async () => thread,
    getItems: async (limit = WINDOW) => withCalls(rows.last(thread, Math.min(limit, WINDOW))),
    addItems: async (items) => {
      const turnId = crypto.randomUUID();
      const stamped = items.map((item) => ({ ...item, metadata: stamp(turnId, 0) }));
      rows.addAll(thread, seq, stamped);
      seq += items.length;
    },
    popItem: async () => undefined,
    clearSession: async () => {},
  };
}

const withCalls = (items) =>
  items.slice(
    Math.max(
      0,
      items.findIndex(({ type }) => type !== 'function_call_result'),
    ),
  );

let calls = 0;
const model = {
  async getResponse({ input }) {
    const last = typeof input === 'string' ? undefined : input.at(-1);
    const output =
      last?.type === 'function_call_result'
        ? message(ANSWER)
        : call(`call_${++calls}`, JSON.stringify(INPUT));
    return { usage: new Usage(), output: [output] };
  },
  getStreamedResponse() {
    throw new Error('This model does not stream.');
  },
};

function message(text) {
  return {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text }],
  };
}

function call(callId, args) {
  return { type: 'function_call', callId, name: TOOL, status: 'completed', arguments: args };
}

function toItem({ role, content, tool_calls: toolCalls, tool_call_id: callId }) {
  if (role === 'user') return { type: 'message', role, content };
  if (role === 'tool') {
    const output = { type: 'text', text: content };
    return { type: 'function_call_result', callId, name: TOOL, status: 'completed', output };
  }
  if (toolCalls === undefined) return message(content);
  const [made] = JSON.parse(toolCalls);
  return call(made.id, made.function.arguments);
}
