import { describe, expect, test } from 'vitest';
import { calledTool, type FinishedStep, saidText } from '../index.ts';
import { anyHolds } from './stop-conditions.ts';

const step = (more: Partial<FinishedStep>): FinishedStep => ({
  message: { id: 'm', role: 'assistant', content: null, created_at: 0 },
  text: null,
  toolCalls: [],
  stepCount: 1,
  side: 'a',
  ...more,
});
const call = (name: string, status: 'success' | 'error' = 'success') => ({ id: 'c', name, status });
const place = { agent: 'agent', threadId: 't', abortSignal: new AbortController().signal };

describe('ready-made conditions', () => {
  test('calledTool holds for calls that did what they were called for', () => {
    const done = calledTool('finish', 'give_up');
    expect(done(step({ toolCalls: [call('search'), call('give_up')] }))).toBe(true);
    expect(done(step({ toolCalls: [call('search')] }))).toBe(false);
    expect(done(step({ toolCalls: [call('finish', 'error')] }))).toBe(false);
    expect(done(step({}))).toBe(false);
  });

  test('saidText looks for a text, or for what fits an expression', () => {
    expect(saidText('Deal')(step({ text: 'It is a Deal.' }))).toBe(true);
    expect(saidText('deal')(step({ text: 'It is a Deal.' }))).toBe(false);
    expect(saidText('')(step({ text: null }))).toBe(false);
    expect(saidText(/^done\b/i)(step({ text: 'DONE, all of it' }))).toBe(true);
    expect(saidText(/./)(step({ text: null }))).toBe(false);
  });

  test('an expression with g or y fits every time', () => {
    for (const expression of [/deal/g, /deal/y]) {
      const done = saidText(expression);
      const said = step({ text: 'deal' });
      expect([done(said), done(said), done(said)]).toEqual([true, true, true]);
      expect(expression.lastIndex).toBe(0);
    }
  });
});

describe('several conditions', () => {
  test('are asked in their order, until one holds', async () => {
    const asked: string[] = [];
    const says = (name: string, answer: boolean) => async () => {
      asked.push(name);
      return answer;
    };
    expect(
      await anyHolds([says('one', false), says('two', true), says('three', true)], step({}), place),
    ).toBe(true);
    expect(asked).toEqual(['one', 'two']);
    expect(await anyHolds([], step({}), place)).toBe(false);
  });

  test.each([
    ['failed', () => JSON.parse('my secret')],
    ['failed', async () => Promise.reject(new Error('my secret'))],
    ['gave neither true nor false', () => undefined],
    ['gave neither true nor false', async () => 'yes'],
  ])('one that %s is an error that tells no data', async (how, condition) => {
    const error = await anyHolds([condition as never], step({}), place).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'RunError',
      code: 'invalid_result',
      message: `A stop condition of the agent "agent" ${how}.`,
      threadId: 't',
    });
    expect(error).not.toHaveProperty('cause');
  });

  test('the abort ends one that hangs', async () => {
    const controller = new AbortController();
    const asking = anyHolds([() => new Promise(() => {})], step({}), {
      ...place,
      abortSignal: controller.signal,
    });
    controller.abort();
    await expect(asking).rejects.toMatchObject({ code: 'aborted' });
  });
});
