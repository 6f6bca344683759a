import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { Setup, Subject, Trial } from '@spec/conformance';
import { createRegistry, type HookToolCall, type LLMMessage, type Scope } from '@spec/hooks';
import { openMessages } from './messages.ts';
import { scriptedModel } from './scripted-model.ts';
import { openThread } from './thread.ts';

/** The adapter between the thread and the suite: all that an author has to write. */
export const aiSdk: Subject = {
  name: "the AI SDK's generateText with a table of messages",
  abilities: ['policies', 'update', 'inject', 'ledger', 'abort'],
  async open(setup) {
    const scope = scopeOf(setup);
    const folder = mkdtempSync(join(tmpdir(), 'judge-ai-sdk-'));
    const messages = openMessages(join(folder, 'messages.db'));
    const sent: LanguageModelV3Prompt[] = [];
    const thread = await openThread({
      ...{ scope, messages, system: setup.system, timeout: setup.hookTimeout ?? 8_000 },
      model: scriptedModel(setup.script ?? [], sent),
      tools: (setup.tools ?? []).map((one) => ({
        ...one,
        run: one.run.bind(one),
        required: one.required ?? [],
      })),
    });
    const { state } = thread;
    const trial: Trial = {
      threadId: state.threadId,
      send: (content) => thread.send(content),
      async inject(message) {
        await state.injectMessage(message);
      },
      async update(id, updates) {
        await state.updateMessage(id, updates);
      },
      messages: () => state.getMessages(),
      sent: () => sent.map((prompt) => prompt.flatMap(sentMessages)),
      runs: async () => [...thread.runs],
      told: async () => inspect(thread.runs, { depth: 8, maxArrayLength: null }),
      stop: async () => thread.abort(),
      async close() {
        thread.abort();
        messages.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
    return trial;
  },
};

function scopeOf({ hooks = [], policies = [], promptHooks, agentHooks }: Setup): Scope {
  const registry = createRegistry({ hooks, policies });
  const agent = { name: 'main', ...(agentHooks === undefined ? {} : { hooks: agentHooks }) };
  registry.scope({ agent }); // A list that a prompt hides is checked too.
  return registry.scope({
    agent,
    prompt: { name: 'main', ...(promptHooks === undefined ? {} : { hooks: promptHooks }) },
  });
}

/** What the model was sent, in the specification's form. */
function sentMessages(message: LanguageModelV3Prompt[number]): LLMMessage[] {
  if (message.role === 'system') return [{ role: 'system', content: message.content }];
  if (message.role === 'tool') {
    return message.content.flatMap((part) => {
      if (part.type !== 'tool-result' || part.output.type !== 'text') return [];
      return [
        { role: 'tool', content: part.output.value, tool_call_id: part.toolCallId, name: part.toolName },
      ];
    });
  }
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const calls = message.content.flatMap((part): HookToolCall[] => {
    if (part.type !== 'tool-call') return [];
    return [
      {
        id: part.toolCallId,
        type: 'function',
        function: { name: part.toolName, arguments: JSON.stringify(part.input) },
      },
    ];
  });
  const content = texts.length === 0 ? null : texts.join('');
  return [{ role: message.role, content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
}
