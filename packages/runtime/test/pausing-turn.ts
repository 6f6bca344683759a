import { type AnyHook, defineHook } from '@spec/hooks';
import { defineTool } from '../src/index.ts';
import type { ScriptedStep } from '../src/testing/index.ts';
import type { Setup } from './start-runtime.ts';

/** Called where a turn has come to a point; the turn goes on when it resolves. */
export type AtPoint = (point: string) => Promise<void>;

/** The points of {@link pausingTurn} that lie in hooks, in the model and in the tool, in their order. */
export const POINTS: readonly string[] = [
  'before_user_message',
  'before_create_message user',
  'after_create_message user',
  'after_system_message',
  'filter_messages',
  'prefilter_llm_history',
  'model',
  'before_create_message assistant',
  'after_create_message assistant',
  'before_tool_call',
  'before_permission_request',
  'tool',
  'after_tool_call_success',
  'before_store_tool_result',
  'before_create_message tool',
  'after_create_message tool',
  'after_tool_batch',
  'last model',
  'before_stop',
];

/** A turn with one tool call, which stops at each of its points. */
export function pausingTurn(atPoint: AtPoint = async () => {}): Setup {
  const at = (name: string) => atPoint(name);
  const once = new Set<string>();
  const first = async (name: string): Promise<void> => {
    if (once.has(name)) return;
    once.add(name);
    await at(name);
  };
  const script: ScriptedStep[] = [
    async ({ prompt }) => {
      await at(prompt.at(-1)?.role === 'tool' ? 'last model' : 'model');
      return prompt.at(-1)?.role === 'tool' ? 'Paid.' : { toolCalls: [{ id: 'c', name: 'pay' }] };
    },
  ];
  const pay = defineTool({
    name: 'pay',
    onInterrupted: 'retry',
    execute: async () => {
      await first('tool');
      return 'paid';
    },
  });
  return {
    tools: [pay],
    script: new Proxy(script, {
      get: (target, key) =>
        key === Symbol.iterator ? () => forever(target[0] as ScriptedStep) : Reflect.get(target, key),
    }),
    policies: hooksAt(first),
    timeout: '1m',
  };
}

function* forever(step: ScriptedStep): Generator<ScriptedStep> {
  for (;;) yield step;
}

function hooksAt(first: AtPoint): AnyHook[] {
  return [
    defineHook({ hook: 'before_user_message', id: 'a', execute: () => nothing('before_user_message') }),
    defineHook({
      hook: 'before_create_message',
      id: 'b',
      execute: async (_state, message) => {
        await first(`before_create_message ${message.role}`);
        return message;
      },
    }),
    defineHook({
      hook: 'after_create_message',
      id: 'c',
      execute: (_state, { role }) => first(`after_create_message ${role}`),
    }),
    defineHook({ hook: 'after_system_message', id: 'd', execute: () => nothing('after_system_message') }),
    defineHook({
      hook: 'filter_messages',
      id: 'e',
      execute: async (_state, messages) => {
        await first('filter_messages');
        return messages;
      },
    }),
    defineHook({
      hook: 'prefilter_llm_history',
      id: 'f',
      execute: async (_state, messages) => {
        await first('prefilter_llm_history');
        return messages;
      },
    }),
    defineHook({
      hook: 'before_tool_call',
      id: 'g',
      execute: async () => {
        await first('before_tool_call');
        return { decision: 'ask' as const };
      },
    }),
    defineHook({
      hook: 'before_permission_request',
      id: 'h',
      execute: async () => {
        await first('before_permission_request');
        return { decision: 'allow' as const };
      },
    }),
    defineHook({
      hook: 'after_tool_call_success',
      id: 'i',
      execute: () => nothing('after_tool_call_success'),
    }),
    defineHook({
      hook: 'before_store_tool_result',
      id: 'j',
      execute: async (_state, _call, result) => {
        await first('before_store_tool_result');
        return result;
      },
    }),
    defineHook({ hook: 'after_tool_batch', id: 'k', execute: () => nothing('after_tool_batch') }),
    defineHook({ hook: 'before_stop', id: 'l', execute: () => nothing('before_stop') }),
  ];

  async function nothing(point: string): Promise<null> {
    await first(point);
    return null;
  }
}
