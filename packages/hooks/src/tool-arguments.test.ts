import { describe, expect, test } from 'vitest';
import { defineHook } from './define/define.ts';
import { runHook, toolCall, toolResult } from './testing/index.ts';
import type { LifecycleName } from './vocabulary/lifecycle.ts';

describe('call.input', () => {
  test.each([
    ['{"amount":5,"to":{"iban":"DE"}}', { amount: 5, to: { iban: 'DE' } }],
    ['', {}],
    ['[1]', {}],
    ['"text"', {}],
    ['{"amount":', {}],
  ])('%j is read as %j', async (text, input) => {
    const seen: unknown[] = [];
    const spy = defineHook({
      hook: 'before_tool_call',
      id: 'spy',
      execute: async (_state, { input }) => {
        seen.push(input);
        return null;
      },
    });
    await runHook(spy, { id: 'c1', type: 'function', function: { name: 'transfer', arguments: text } });
    expect(seen).toEqual([input]);
  });

  test('is parsed once, and is no field of the call', async () => {
    const hook = defineHook({
      hook: 'before_tool_call',
      id: 'spy',
      execute: async (_state, given) => {
        expect(given.input).toBe(given.input);
        expect(Object.keys(given)).toEqual(['id', 'type', 'function']);
        expect(structuredClone(given)).not.toHaveProperty('input');
        return null;
      },
    });
    const { error } = await runHook(hook, toolCall('transfer', { amount: 5 }));
    expect(error).toBeUndefined();
  });

  test('is not written to: the hook fails', async () => {
    const hook = defineHook({
      hook: 'before_tool_call',
      id: 'writer',
      execute: async (_state, { input }) => {
        (input as Record<string, unknown>).amount = 0;
        return null;
      },
    });
    const { result } = await runHook(hook, toolCall('transfer', { amount: 5 }));
    expect(result.decision).toBe('deny');
  });

  const given = toolCall('transfer', { amount: 5 });
  const args = {
    before_tool_call: [given],
    before_permission_request: [{ toolCall: given }],
    before_store_tool_result: [given, toolResult('ok')],
    after_tool_call_success: [given, toolResult('ok')],
    after_tool_call_failure: [given, toolResult('ok')],
    after_tool_batch: [[{ toolCall: given, result: toolResult('ok') }]],
  } as const;

  test.each(Object.entries(args))('is there in %s', async (name, of) => {
    const seen: unknown[] = [];
    const spy = defineHook({
      hook: name as LifecycleName,
      id: 'spy',
      execute: async (_state: unknown, ...[first, second]: unknown[]) => {
        const { toolCall: inner, input = inner?.input } = [first].flat()[0] as Record<
          string,
          { input?: unknown }
        >;
        seen.push(input);
        return name === 'before_store_tool_result' ? second : null;
      },
    } as never);
    const { error } = await runHook(spy as never, ...(of as never as []));
    expect(error).toBeUndefined();
    expect(seen).toEqual([{ amount: 5 }]);
  });
});
