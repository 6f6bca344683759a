import { DefinitionError, type HookMessage } from '@spec/hooks';
import { assistantMessage, runHook, toolCall, toolMessage, userMessage } from '@spec/hooks/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limitMessages } from './limit-messages.ts';

const kept = async (messages: HookMessage[], n: number, options = {}): Promise<HookMessage[]> =>
  (await runHook(limitMessages(n, options), messages)).result;

const user = (): HookMessage => userMessage('hello');
const system = (): HookMessage => ({ ...userMessage('rules'), role: 'system' });

/** An assistant message with calls, and a result for each. */
function exchange(...ids: string[]): HookMessage[] {
  const toolCalls = ids.map((id) => toolCall('find', {}, { id }));
  return [assistantMessage(null, { toolCalls }), ...toolCalls.map((call) => toolMessage(call, 'found'))];
}

describe('limitMessages', () => {
  test('keeps the newest n', async () => {
    const messages = [user(), user(), user(), user()];
    expect(await kept(messages, 2)).toEqual(messages.slice(-2));
    expect(await kept(messages, 4)).toEqual(messages);
    expect(await kept(messages, 10)).toEqual(messages);
  });

  test('never keeps a result without its call, nor one result of several', async () => {
    const messages = [user(), ...exchange('a', 'b', 'c'), user()];
    for (const n of [2, 3, 4]) expect(await kept(messages, n)).toEqual(messages.slice(1));
    expect(await kept(messages, 1)).toEqual(messages.slice(-1));
    expect(await kept(messages, 5)).toEqual(messages.slice(1));
  });

  test('an id that a model used twice belongs to the nearest call above', async () => {
    const messages = [user(), ...exchange('a'), user(), ...exchange('a')];
    expect(await kept(messages, 1)).toEqual(messages.slice(-2));
    expect(await kept(messages, 4)).toEqual(messages.slice(-5));
    const unanswered = [...exchange('a').slice(0, 1), user(), ...exchange('a')];
    expect(await kept(unanswered, 1)).toEqual(unanswered.slice(-2));
  });

  test('a message between a call and its result moves nothing apart', async () => {
    const [call, first, second] = exchange('a', 'b') as [HookMessage, HookMessage, HookMessage];
    const messages = [user(), call, first, user(), second];
    expect(await kept(messages, 1)).toEqual(messages.slice(1));
  });

  test('results whose call is nowhere do not keep the whole history', async () => {
    const orphan = toolMessage(toolCall('find', {}, { id: 'gone' }), 'found');
    const messages = [user(), user(), orphan, ...exchange('a', 'b')];
    expect(await kept(messages, 1)).toEqual(messages.slice(-3));
    expect(await kept(messages, 4)).toEqual(messages.slice(-4));
  });

  test('a message whose tool calls cannot be read stays a message', async () => {
    const messages = [user(), { ...assistantMessage('hm'), tool_calls: '{broken' }, user()];
    expect(await kept(messages, 2)).toEqual(messages.slice(-2));
  });

  test('system messages at the beginning stay and do not count, unless told otherwise', async () => {
    const messages = [system(), system(), user(), user(), user()];
    expect(await kept(messages, 1)).toEqual([...messages.slice(0, 2), ...messages.slice(-1)]);
    expect(await kept(messages, 1, { keepSystem: false })).toEqual(messages.slice(-1));
  });

  test('of any history, what is kept is its end, at least n long, and no exchange is cut', async () => {
    const part = fc.oneof(
      fc.constant(() => [user()]),
      fc
        .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 })
        .map((ids) => () => exchange(...new Set(ids))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.integer({ min: 1, max: 9 }), async (parts, n) => {
        const blocks = parts.map((make) => make());
        const messages = blocks.flat();
        const result = await kept(messages, n);
        const boundaries = blocks.map((_, index) => blocks.slice(index).flat().length);
        expect(result).toEqual(messages.slice(messages.length - result.length));
        expect(result.length).toBe(
          boundaries.filter((length) => length >= Math.min(n, messages.length)).at(-1) ?? 0,
        );
      }),
    );
  });

  test('says how much it reads, and is named after it', () => {
    expect(limitMessages(20)).toMatchObject({
      id: 'limit_to_20_messages',
      hook: 'filter_messages',
      reads: { last: 20 },
    });
    expect(limitMessages(20, { id: 'short_memory' }).id).toBe('short_memory');
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '20'])('%s is refused', (n) => {
    expect(() => limitMessages(n as number)).toThrow(DefinitionError);
    expect(() => limitMessages(n as number)).toThrow(/must be a whole number of at least 1; got/);
  });
});
