// AI SDK: generateText runs the steps; it stores nothing, so messages are inserted by hand after every step.
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import { conversation } from '../src/conversation.ts';
import { model } from '../src/turn/model.ts';
import { log, newest, QUESTION, RESULT, redacted, stamp, TOOL, WINDOW } from '../src/turn/workload.ts';
import { openRows } from './rows.mjs';

export async function connect(options) {
  const rows = openRows(options);
  const scripted = model();
  const tools = {
    [TOOL]: tool({
      inputSchema: jsonSchema({ type: 'object', properties: { order: { type: 'number' } } }),
      execute: async () => redacted(RESULT),
    }),
  };
  let threads = 0;
  return {
    async thread(length) {
      const thread = `thread-${threads++}`;
      rows.addAll(thread, 0, conversation(length).map(toModelMessage));
      let seq = length;
      return async () => {
        const turnId = crypto.randomUUID();
        const store = (message, step) =>
          rows.add(thread, seq++, { ...message, metadata: stamp(turnId, step) });
        const history = rows.last(thread, WINDOW);
        while (history[0]?.role === 'tool') history.shift();
        const question = { role: 'user', content: QUESTION };
        store(question, 0);
        await generateText({
          model: scripted,
          tools,
          messages: [...history, question],
          stopWhen: isStepCount(10),
          prepareStep: ({ messages }) => ({ messages: withCalls(newest(messages)) }),
          onToolExecutionEnd: ({ toolCall }) => log({ turnId, tool: toolCall.toolName }),
          onStepEnd: ({ stepNumber, response }) => {
            for (const message of response.messages) store(message, stepNumber + 1);
          },
        });
      };
    },
    close: () => rows.close(),
  };
}

/** A window must not begin with results whose calls are cut off. */
function withCalls(messages) {
  const start = messages.findIndex(({ role }) => role !== 'tool');
  return messages.slice(start);
}

function toModelMessage({ role, content, tool_calls: calls, tool_call_id: toolCallId, name }) {
  if (role === 'tool') {
    const output = { type: 'text', value: content };
    return { role, content: [{ type: 'tool-result', toolCallId, toolName: name, output }] };
  }
  if (calls === undefined) return { role, content };
  const parts = JSON.parse(calls).map(({ id, function: { name: toolName, arguments: input } }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName,
    input: JSON.parse(input),
  }));
  return { role, content: parts };
}
