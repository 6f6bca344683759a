// pi's agent core: the agent keeps its messages in memory; every message that has ended is appended to a log file, a line each.
import { closeSync, fsyncSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from '@mariozechner/pi-agent-core';
import { createAssistantMessageEventStream, Type } from '@mariozechner/pi-ai';
import { conversation } from '../src/conversation.ts';
import { ANSWER, INPUT, log, newest, QUESTION, RESULT, redacted, stamp, TOOL } from '../src/turn/workload.ts';

export async function connect({ folder, synchronous }) {
  const files = [];
  return {
    async thread(length) {
      const path = join(folder, `thread-${files.length}.jsonl`);
      const messages = conversation(length).map(toAgentMessage);
      writeFileSync(path, messages.map((message) => `${JSON.stringify({ message })}\n`).join(''));
      const file = openSync(path, 'a');
      files.push(file);
      const agent = agentOf(messages);
      let turnId = '';
      agent.subscribe((event) => {
        if (event.type !== 'message_end') return;
        const { message } = event;
        writeSync(
          file,
          `${JSON.stringify({ id: crypto.randomUUID(), message, metadata: stamp(turnId, 0) })}\n`,
        );
        if (synchronous === 'FULL') fsyncSync(file);
      });
      return () => {
        turnId = crypto.randomUUID();
        return agent.prompt(QUESTION);
      };
    },
    close() {
      for (const file of files) closeSync(file);
    },
  };
}

function agentOf(messages) {
  const tool = {
    name: TOOL,
    label: TOOL,
    description: 'Looks up an order.',
    parameters: Type.Object({ order: Type.Number() }),
    execute: async () => ({ content: [{ type: 'text', text: RESULT }], details: undefined }),
  };
  return new Agent({
    initialState: { model, tools: [tool], messages },
    streamFn: (_model, { messages: prompt }) =>
      streamOf(prompt.at(-1)?.role === 'toolResult' ? answer() : call()),
    transformContext: async (history) => withCalls(newest(history)),
    afterToolCall: async ({ toolCall, result }) => {
      log({ tool: toolCall.name });
      return { content: result.content.map(({ text }) => ({ type: 'text', text: redacted(text) })) };
    },
  });
}

function withCalls(messages) {
  return messages.slice(messages.findIndex(({ role }) => role !== 'toolResult'));
}

/** The events that a provider's stream of such a message has, with the whole of it in one piece. */
function streamOf(message) {
  const stream = createAssistantMessageEventStream();
  const [block] = message.content;
  const kind = block.type === 'text' ? 'text' : 'toolcall';
  const at = { contentIndex: 0, partial: message };
  stream.push({ type: 'start', partial: message });
  stream.push({ type: `${kind}_start`, ...at });
  stream.push({ type: `${kind}_delta`, delta: block.text ?? JSON.stringify(block.arguments), ...at });
  stream.push(
    kind === 'text'
      ? { type: 'text_end', content: block.text, ...at }
      : { type: 'toolcall_end', toolCall: block, ...at },
  );
  stream.push({ type: 'done', reason: message.stopReason, message });
  return stream;
}

let calls = 0;
const call = () =>
  assistant('toolUse', [{ type: 'toolCall', id: `call_${++calls}`, name: TOOL, arguments: INPUT }]);
const answer = () => assistant('stop', [{ type: 'text', text: ANSWER }]);

const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const model = {
  id: 'scripted',
  name: 'scripted',
  api: 'scripted',
  provider: 'scripted',
  baseUrl: '',
  reasoning: false,
  input: ['text'],
  cost: noCost,
  contextWindow: 200_000,
  maxTokens: 1_000,
};

function assistant(stopReason, content) {
  return {
    role: 'assistant',
    content,
    api: 'scripted',
    provider: 'scripted',
    model: 'scripted',
    usage: { ...noCost, totalTokens: 0, cost: { ...noCost, total: 0 } },
    stopReason,
    timestamp: Date.now(),
  };
}

function toAgentMessage({ role, content, tool_calls: toolCalls, tool_call_id: toolCallId, name }) {
  if (role === 'user') return { role, content, timestamp: 0 };
  const text = [{ type: 'text', text: content }];
  if (role === 'tool')
    return { role: 'toolResult', toolCallId, toolName: name, content: text, isError: false, timestamp: 0 };
  if (toolCalls === undefined) return assistant('stop', text);
  const made = JSON.parse(toolCalls).map(({ id, function: { name: tool, arguments: input } }) => ({
    type: 'toolCall',
    id,
    name: tool,
    arguments: JSON.parse(input),
  }));
  return assistant('toolUse', made);
}
