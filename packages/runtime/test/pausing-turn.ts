import { type AnyHook, defineHook } from '@spec/hooks';
import { defineAgent, definePrompt, defineTool } from '../src/index.ts';
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
  const once = new Set<string>();
  const first = async (name: string): Promise<void> => {
    if (once.has(name)) return;
    once.add(name);
    await atPoint(name);
  };
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
    script: makeScript(answerAt(atPoint)),
    policies: hooksAt(first),
    timeout: '1m',
  };
}

/** The points that {@link callingTurn} has besides, in their order. */
export const CALLED_POINTS: readonly string[] = ['invoked tool', 'child model'];

/** The same turn with a hook that invokes a tool and runs an agent when its own point is over. */
export function callingTurn(atPoint: AtPoint = async () => {}): Setup {
  const turn = pausingTurn(atPoint);
  const mark = defineTool({
    name: 'mark',
    onInterrupted: 'retry',
    execute: async () => {
      await atPoint('invoked tool');
      return 'marked';
    },
  });
  const call = defineHook({
    hook: 'after_tool_batch',
    id: 'm',
    execute: async (state) => {
      await state.invokeTool('mark', {});
      await state.invokeTool('help', {});
      return null;
    },
  });
  const answer = answerAt(atPoint);
  const step: Answer = async (asked) => {
    if (asked.prompt[0]?.content !== 'You help.') return answer(asked);
    await atPoint('child model');
    return 'Helped.';
  };
  return {
    ...turn,
    tools: [...(turn.tools ?? []), mark, defineTool({ name: 'help', agent: 'helper' })],
    agents: [defineAgent({ name: 'helper', prompt: 'helper' })],
    prompts: [definePrompt({ name: 'helper', system: 'You help.' })],
    prompt: { tools: ['pay'] },
    script: makeScript(step),
    policies: [...(turn.policies ?? []), call],
  };
}

type Answer = Extract<ScriptedStep, (...given: never[]) => unknown>;

function answerAt(atPoint: AtPoint): Answer {
  return async ({ prompt }) => {
    const isLast = prompt.at(-1)?.role === 'tool';
    await atPoint(isLast ? 'last model' : 'model');
    return isLast ? 'Paid.' : { toolCalls: [{ id: 'c', name: 'pay' }] };
  };
}

function makeScript(step: ScriptedStep): readonly ScriptedStep[] {
  return new Proxy([step], {
    get: (target, key) => (key === Symbol.iterator ? () => forever(step) : Reflect.get(target, key)),
  });
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
