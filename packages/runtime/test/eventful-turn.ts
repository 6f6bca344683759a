import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { defineHook } from '@spec/hooks';
import { type AnyTool, defineAgent, definePrompt, defineTool } from '../src/index.ts';
import type { ScriptedReply, ScriptedStep } from '../src/testing/index.ts';
import type { Setup } from './start-runtime.ts';

/**
 * A turn in which much happens: parallel tools, one that is an agent, one that injects, a queued message and a queued
 * tool, contexts, hooks that inject, and a hook that keeps the turn going. All of it comes out the same each time.
 */
export function eventfulTurn(): Setup & { readonly tools: readonly AnyTool[] } {
  return {
    tools: [lookUp, note, ask],
    agents: [defineAgent({ name: 'expert', prompt: 'expert' })],
    prompts: [definePrompt({ name: 'expert', system: 'You are the expert.', tools: ['look_up'] })],
    prompt: { system: 'You are the host.', tools: ['look_up', 'note', 'ask'] },
    policies: [keepGoing, inject, advise, context, greet, stamp],
    script: new Proxy([], {
      get: (target, key) => (key === Symbol.iterator ? replies : Reflect.get(target, key)),
    }),
  };
}

const lookUp = defineTool({
  name: 'look_up',
  onInterrupted: 'retry',
  parameters: { type: 'object', properties: { what: { type: 'string' } } },
  execute: ({ what }: { what?: string }) => `found ${what}`,
});

const note = defineTool({
  name: 'note',
  onInterrupted: 'retry',
  execute: async (_input, { state }) => {
    await state.injectMessage({ role: 'user', content: 'noted' });
    await state.queueMessage({ role: 'user', content: 'to be read in the next step' });
    await state.queueTool('look_up', { what: 'queued' });
    return { status: 'success', result: 'written', attachments: [file] };
  },
});

const file = { type: 'file', name: 'note.txt', mimeType: 'text/plain', data: btoa('a note') } as const;

const ask = defineTool({ name: 'ask', agent: 'expert' });

const keepGoing = defineHook({
  hook: 'before_stop',
  id: 'keep_going',
  execute: async (state, { keptGoing }) =>
    keptGoing === 0 && state.agentId === 'agent' ? { keepGoing: 'One thing more.' } : null,
});

const inject = defineHook({
  hook: 'after_tool_call_success',
  id: 'inject',
  match: 'ask',
  execute: async (state, call) => {
    await state.injectMessage({ role: 'user', content: `after ${call.function.name}` });
    return null;
  },
});

const advise = defineHook({
  hook: 'before_tool_call',
  id: 'advise',
  match: 'note',
  execute: async (_state, call) => ({ context: [`about ${call.id}`, 'Notes are read.'] }),
});

const context = defineHook({
  hook: 'after_tool_batch',
  id: 'context',
  execute: async (_state, results) => `${results.length} results`,
});

const greet = defineHook({
  hook: 'before_user_message',
  id: 'greet',
  execute: async (_state) => ({ context: 'The person is known.' }),
});

const stamp = defineHook({
  hook: 'before_create_message',
  id: 'stamp',
  execute: async (state, message) => ({ ...message, stamped: state.execution.stepCount }),
});

/** What the model says follows from what it was asked in this turn alone, so that it says the same when it is asked again. */
function* replies(): Generator<ScriptedStep> {
  for (;;) yield ({ prompt }) => replyTo(prompt);
}

function replyTo([system, ...history]: LanguageModelV3Prompt): ScriptedReply {
  const turn = history.slice(Math.max(0, history.findLastIndex(isStart)));
  const tools = turn.filter(({ role }) => role === 'tool').length;
  if (system?.content === 'You are the expert.') {
    if (tools > 0) return 'The expert says so.';
    return { toolCalls: [{ id: 'deep', name: 'look_up', input: { what: 'deep' } }] };
  }
  if (tools === 0) return { text: 'Let me see.', toolCalls: threeCalls };
  if (!JSON.stringify(turn).includes('One thing more.')) return 'That is it.';
  return tools > 2 ? 'Done.' : { toolCalls: [{ id: 'last', name: 'look_up', input: { what: 'last' } }] };
}

function isStart({ role, content }: LanguageModelV3Message): boolean {
  const [part] = content;
  return role === 'user' && typeof part === 'object' && part.type === 'text' && part.text.startsWith('Go');
}

const threeCalls = [
  { id: 'first', name: 'look_up', input: { what: 'first' } },
  { id: 'noting', name: 'note' },
  { id: 'asking', name: 'ask', input: { task: 'Tell me.' } },
];
