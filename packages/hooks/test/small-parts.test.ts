import { describe, expect, test } from 'vitest';
import { durationInMs } from '../src/duration.ts';
import { DefinitionError } from '../src/errors.ts';
import { createExecutor } from '../src/executor/executor.ts';
import { controlTable, isLifecycleName, lifecycleTable, specificationTable } from '../src/lifecycle/table.ts';
import { nearest } from '../src/nearest.ts';
import { issuePaths } from '../src/standard-schema.ts';
import { harness, makeHook, sampleMessage } from './chain.ts';

describe('the lifecycle tables', () => {
  test('have the twelve hooks of the specification, and those of our own', () => {
    expect(Object.keys(specificationTable)).toEqual([
      'after_thread_created',
      'after_subagent_created',
      'after_system_message',
      'filter_messages',
      'prefilter_llm_history',
      'before_create_message',
      'after_create_message',
      'before_update_message',
      'after_update_message',
      'before_store_tool_result',
      'after_tool_call_success',
      'after_tool_call_failure',
    ]);
    expect(Object.keys(lifecycleTable)).toEqual([
      ...Object.keys(specificationTable),
      ...Object.keys(controlTable),
    ]);
  });

  test('block by default where a failure would let something through unseen (design §4)', () => {
    const blocking = Object.entries(lifecycleTable).filter(([, { onFailure }]) => onFailure === 'block');
    expect(blocking.map(([name]) => name)).toEqual([
      'after_system_message',
      'filter_messages',
      'prefilter_llm_history',
      'before_create_message',
      'before_update_message',
      'before_store_tool_result',
      'before_user_message',
      'before_tool_call',
      'before_permission_request',
      'before_model_call',
    ]);
  });

  test('tell hook names from others', () => {
    expect(isLifecycleName('filter_messages')).toBe(true);
    for (const other of ['toString', '__proto__', '', 5, null]) expect(isLifecycleName(other)).toBe(false);
  });

  test.each(Object.entries(lifecycleTable))('%s says what it is for', (_name, row) => {
    for (const text of [row.trigger, row.purpose, row.failure]) expect(text.length).toBeGreaterThan(3);
    expect(row.section).toMatch(/§\d/);
    expect(row.args.length).toBeLessThanOrEqual(2);
  });
});

describe('an executor', () => {
  test('refuses a timeout that is none', () => {
    expect(() => createExecutor({ timeout: 0 })).toThrow(DefinitionError);
    expect(() => createExecutor({ timeout: 'soon' as never })).toThrow(
      'timeout must be a duration between 1 ms and 24 days: ',
    );
  });

  test('needs no options, and runs a chain on a state that is almost nothing', async () => {
    const hook = makeHook('before_create_message', (_state, message) => message);
    const scope = { before_create_message: [{ hook, source: 'x' }] };
    const message = sampleMessage();
    expect(await createExecutor<object>().run('before_create_message', scope, {}, message)).toBe(message);
  });

  test('runs a chain that has no members', async () => {
    const { executor, state } = harness();
    const message = sampleMessage();
    expect(await executor.run('before_create_message', { before_create_message: [] }, state, message)).toBe(
      message,
    );
  });

  test('takes a view of the application instead of its own', async () => {
    const permits: boolean[] = [];
    const { run, state } = harness({
      view: (given, permit) => {
        permits.push(permit.open);
        return { ...given, threadId: 'mine' };
      },
    });
    let seen = '';
    await run(
      [
        makeHook('after_create_message', (view) => {
          seen = view.threadId;
        }),
      ],
      sampleMessage(),
    );
    expect(seen).toBe('mine');
    expect(permits).toEqual([true]);
    expect(state.threadId).toBe('thread');
  });

  test('reports sizes, values and the source of each run', async () => {
    const { executor, state, records, details } = harness();
    const hook = makeHook('after_system_message', (_state, text: string) => `${text}!!`);
    await executor.run(
      'after_system_message',
      { after_system_message: [{ hook, source: 'prompt:hello' }] },
      state,
      'abc',
    );
    expect(records).toEqual([
      {
        hook: 'after_system_message',
        id: hook.id,
        source: 'prompt:hello',
        outcome: 'changed',
        changed: true,
        ms: 0,
        sizeBefore: 3,
        sizeAfter: 5,
      },
    ]);
    expect(details).toEqual([{ state, before: 'abc', after: 'abc!!' }]);
  });
});

test('durations are milliseconds, or a number with its unit', () => {
  const values = {
    '500ms': 500,
    '2s': 2_000,
    '1.5s': 1_500,
    '1m': 60_000,
    '1h': 3_600_000,
    '2d': 172_800_000,
  };
  for (const [text, ms] of Object.entries(values)) expect(durationInMs(text)).toBe(ms);
  expect(durationInMs(1)).toBe(1);
  for (const none of [0, -1, Number.NaN, 2 ** 31, '', '5', 's', '1w', '25d', ' 1s', null, {}])
    expect(durationInMs(none)).toBeUndefined();
});

test('the nearest name is found within a third of its length', () => {
  const names = ['filter_messages', 'before_tool_call', 'before_stop'];
  expect(nearest('filter_message', names)).toBe('filter_messages');
  expect(nearest('PreToolUse', names)).toBeUndefined();
  expect(nearest('before_stopp', names)).toBe('before_stop');
  expect(nearest('x', [])).toBeUndefined();
});

test('paths of issues name fields and never data', () => {
  const issue = (...path: Array<PropertyKey | { key: PropertyKey }>) => ({ message: 'secret', path });
  expect(issuePaths([issue('a', 0, { key: 'b_c' }), issue('a', 0, 'b_c'), { message: 'secret' }])).toBe(
    'a.0.b_c, the value itself',
  );
  expect(issuePaths([issue('alice@example.com'), issue('4111 1111'), issue(Symbol('secret'))])).toBe('…');
  expect(issuePaths(Array.from({ length: 9 }, (_, i) => issue(`f${i}`)))).toBe('f0, f1, f2, f3, f4');
});
