// Mastra: an agent with input and output processors, and its memory over libSQL with the last 20 messages.
import { join } from 'node:path';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import { z } from 'zod';
import { conversation } from '../src/conversation.ts';
import { model } from '../src/turn/model.ts';
import { log, QUESTION, RESULT, redacted, stamp, TOOL, WINDOW } from '../src/turn/workload.ts';

const resource = 'user';

export async function connect({ folder }) {
  const storage = new LibSQLStore({ id: 'turns', url: `file:${join(folder, 'memory.db')}` });
  const memory = new Memory({
    storage,
    options: { lastMessages: WINDOW, semanticRecall: false, workingMemory: { enabled: false } },
  });
  const agent = new Agent({
    id: 'agent',
    name: 'agent',
    instructions: 'You help with orders.',
    model: model(),
    tools: { [TOOL]: getOrder },
    memory,
    outputProcessors: [stampMetadata, logCalls],
  });
  let threads = 0;
  return {
    async thread(length) {
      const thread = `thread-${threads++}`;
      await memory.createThread({ threadId: thread, resourceId: resource });
      const messages = conversation(length).map((message) => toMessage(message, thread));
      for (let from = 0; from < length; from += 100)
        await memory.saveMessages({ messages: messages.slice(from, from + 100) });
      return () => agent.generate(QUESTION, { memory: { thread, resource } });
    },
    close: () => {},
  };
}

const getOrder = createTool({
  id: TOOL,
  description: 'Looks up an order.',
  inputSchema: z.object({ order: z.number() }),
  execute: async () => redacted(RESULT),
});

const stampMetadata = {
  id: 'stamp_metadata',
  processOutputResult: ({ messages }) => {
    for (const message of messages)
      message.content.metadata = { ...message.content.metadata, stamp: stamp('turn', 0) };
    return messages;
  },
};

const logCalls = {
  id: 'log',
  processOutputResult: ({ messages }) => {
    log({ messages: messages.length });
    return messages;
  },
};

const time = Date.now() - 1e9;

/** Mastra keeps a call and its result in one message; here each row is a text, so that the threads have as many rows as with the others. */
function toMessage({ role, content, tool_calls: calls }, threadId) {
  const text = content ?? calls;
  return {
    id: crypto.randomUUID(),
    role: role === 'user' ? 'user' : 'assistant',
    content: { format: 2, parts: [{ type: 'text', text }] },
    createdAt: new Date(time + ++count),
    threadId,
    resourceId: resource,
    type: 'text',
  };
}

let count = 0;
