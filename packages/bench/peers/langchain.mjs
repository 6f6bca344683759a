// LangChain: createAgent with middleware; its SQLite checkpointer stores the whole state at every step.
import { join } from 'node:path';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { createAgent, createMiddleware, tool } from 'langchain';
import { conversation } from '../src/conversation.ts';
import { ANSWER, INPUT, log, newest, QUESTION, RESULT, redacted, stamp, TOOL } from '../src/turn/workload.ts';

export async function connect({ folder, synchronous }) {
  const checkpointer = SqliteSaver.fromConnString(join(folder, 'checkpoints.db'));
  const agent = createAgent({
    model: new ScriptedModel({}),
    tools: [getOrder],
    checkpointer,
    middleware: [limit, redactAndLog, stampMetadata],
  });
  let threads = 0;
  return {
    async thread(length) {
      const config = { configurable: { thread_id: `thread-${threads++}` } };
      await agent.graph.updateState(config, { messages: conversation(length).map(toMessage) });
      checkpointer.db.pragma(`synchronous = ${synchronous}`);
      return () => agent.invoke({ messages: [new HumanMessage(QUESTION)] }, config);
    },
    close: () => checkpointer.db.close(),
  };
}

const limit = createMiddleware({
  name: 'limit',
  wrapModelCall: (request, handler) => {
    const messages = newest(request.messages);
    return handler({
      ...request,
      messages: messages.slice(messages.findIndex((message) => !ToolMessage.isInstance(message))),
    });
  },
});

const redactAndLog = createMiddleware({
  name: 'redact_and_log',
  wrapToolCall: async (request, handler) => {
    const result = await handler(request);
    log({ tool: request.toolCall.name });
    result.content = redacted(result.content);
    return result;
  },
});

const stampMetadata = createMiddleware({
  name: 'stamp_metadata',
  afterModel: ({ messages }) => {
    const last = messages.at(-1);
    if (last !== undefined) last.additional_kwargs.metadata = stamp('turn', 0);
  },
});

const getOrder = tool(() => RESULT, {
  name: TOOL,
  description: 'Looks up an order.',
  schema: { type: 'object', properties: { order: { type: 'number' } } },
});

let calls = 0;

class ScriptedModel extends BaseChatModel {
  _llmType() {
    return 'scripted';
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const isAnswer = ToolMessage.isInstance(messages.at(-1));
    const message = isAnswer
      ? new AIMessage(ANSWER)
      : new AIMessage({
          content: '',
          tool_calls: [{ id: `call_${++calls}`, name: TOOL, args: INPUT, type: 'tool_call' }],
        });
    return { generations: [{ text: isAnswer ? ANSWER : '', message }] };
  }
}

function toMessage({ role, content, tool_calls: toolCalls, tool_call_id: toolCallId, name, id }) {
  if (role === 'user') return new HumanMessage({ id, content });
  if (role === 'tool') return new ToolMessage({ id, content, name, tool_call_id: toolCallId });
  if (toolCalls === undefined) return new AIMessage({ id, content });
  const made = JSON.parse(toolCalls).map(({ id: callId, function: { name: toolName, arguments: args } }) => ({
    id: callId,
    name: toolName,
    args: JSON.parse(args),
    type: 'tool_call',
  }));
  return new AIMessage({ id, content: '', tool_calls: made });
}
