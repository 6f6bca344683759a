import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { type AnyHook, defineHook } from '@spec/hooks';
import { defineTool } from '../src/index.ts';
import type { ScriptedReply, ScriptedStep } from '../src/testing/index.ts';
import type { Setup } from './start-runtime.ts';

/** What hooks say holds one of these; hooks of {@link canaries} take them out of messages and results. */
export const CANARY: RegExp = /CANARY-\w+/g;

const clean = (text: string): string => text.replaceAll(CANARY, '[X]');

/** A turn in which every hook that may say something says something that must be stored nowhere; its tool `slow` hangs at will. */
export function canaries(slow: () => Promise<string>): Setup {
  const tool = (name: string, execute: () => Promise<string> | string) =>
    defineTool({ name, onInterrupted: 'retry', execute });
  return {
    tools: [
      tool('quick', () => 'CANARY-quick'),
      tool('refused', () => 'never'),
      tool('slow', slow),
      defineTool({
        name: 'terminate',
        execute: async (_input, { state }) => {
          await state.terminate('CANARY-terminate');
          return 'over';
        },
      }),
    ],
    policies: [...redactors, ...talkers],
    prompt: { tools: ['quick', 'refused', 'slow', 'terminate'], compaction: { keepTokens: 0 } },
    script: new Proxy([], {
      get: (target, key) => (key === Symbol.iterator ? replies : Reflect.get(target, key)),
    }),
  };
}

function* replies(): Generator<ScriptedStep> {
  for (;;) yield ({ prompt }) => replyTo(prompt);
}

function replyTo(prompt: LanguageModelV3Prompt): ScriptedReply {
  const all = JSON.stringify(prompt);
  if (all.includes('<conversation>')) return 'A summary.';
  if (all.includes('End')) return { toolCalls: [{ name: 'terminate' }] };
  if (prompt.some(({ role }) => role === 'tool')) return 'Done.';
  const toolCalls = ['quick', 'refused', 'slow'].map((name) => ({ id: name, name }));
  return { text: 'CANARY-answer', toolCalls };
}

const redactors: AnyHook[] = [
  defineHook({
    hook: 'before_create_message',
    id: 'clean_message',
    execute: async (_state, message) => ({
      ...message,
      content: clean(String(message.content ?? '')) || null,
    }),
  }),
  defineHook({
    hook: 'before_store_tool_result',
    id: 'clean_result',
    execute: async (_state, _call, result) => ({ ...result, result: clean(String(result.result ?? '')) }),
  }),
];

const talkers: AnyHook[] = [
  defineHook({
    hook: 'before_user_message',
    id: 'about_message',
    execute: async (_state, { content }) =>
      content === 'Deny me.'
        ? { decision: 'deny', reason: 'for CANARY-reason', userMessage: 'to CANARY-person' }
        : { context: 'CANARY-user' },
  }),
  defineHook({
    hook: 'before_tool_call',
    id: 'about_call',
    execute: async (_state) => ({ decision: 'ask', reason: 'CANARY-ask', context: 'on CANARY-call' }),
  }),
  defineHook({
    hook: 'before_permission_request',
    id: 'about_request',
    execute: async (_state, { toolCall }) =>
      toolCall.function.name === 'refused'
        ? { decision: 'deny', reason: 'CANARY-refusal', context: 'no CANARY-permission' }
        : { decision: 'allow', context: 'yes CANARY-permission' },
  }),
  defineHook({ hook: 'after_tool_batch', id: 'after', execute: async (_state) => 'CANARY-batch' }),
  defineHook({
    hook: 'before_stop',
    id: 'go_on',
    execute: async (_state, { keptGoing }) => (keptGoing === 0 ? { keepGoing: 'CANARY-stop' } : null),
  }),
  defineHook({
    hook: 'before_compaction',
    id: 'compacting',
    execute: async (_state) => ({ context: 'CANARY-compaction' }),
  }),
];
