import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { cloneRecord, cloneValue } from './clone.ts';
import {
  draft,
  hookToolCall,
  hookToolResult,
  message,
  messages,
  nothing,
  text,
  thread,
  updates,
} from './index.ts';
import { nameSortOfValue } from './record.ts';
import { sameRecord, sameValue } from './same.ts';
import type { Borrower } from './shape.ts';

const borrower: Borrower = { view: (state) => ({ ...state, threadId: 'view' }) };

class Point {
  readonly x = 1;
}

const data: Array<[string, () => unknown]> = [
  ['numbers', () => [0, -0, Number.NaN, 1.5, 2n]],
  ['texts', () => ['', 'a', null, undefined, true]],
  ['nested', () => ({ a: [{ b: { c: [[]] } }] })],
  ['dates', () => ({ at: new Date(5), never: new Date(Number.NaN) })],
  ['bytes', () => ({ a: new Uint8Array([1, 2]), b: new Float64Array([1.5]), c: new Uint8Array([3]).buffer })],
  ['maps and sets', () => ({ map: new Map<unknown, unknown>([['a', { b: 1 }]]), set: new Set([1, [2]]) })],
  ['patterns', () => ({ pattern: /a+/gi })],
  ['without a prototype', () => Object.assign(Object.create(null) as object, { a: 1 })],
  ['of another realm', () => runInNewContext('({ a: [1, { b: 2 }] })') as unknown],
];

describe('copies of values', () => {
  test.each(data)('%s: equal, and nothing is shared', (_name, make) => {
    const value = make();
    const copy = cloneValue(value);
    expect(sameValue(copy, value)).toBe(true);
    expect(sameValue(value, make())).toBe(true);
    if (typeof value === 'object') expect(copy).not.toBe(value);
  });

  test('of a class instance have its fields, and count as the same', () => {
    const record = { point: new Point() };
    const copy = cloneRecord(record);
    expect(copy).toEqual({ point: { x: 1 } });
    expect(sameRecord(copy, record)).toBe(true);
  });

  test.each([
    ['a function', () => () => 1, 'a function is no data'],
    ['a symbol', () => Symbol('secret'), 'a symbol is no data'],
    ['a promise', () => Promise.resolve(), 'a field holds an object that cannot be copied'],
    ['a weak map', () => new WeakMap(), 'a field holds an object that cannot be copied'],
  ])('%s cannot be copied', (_name, make, why) => {
    expect(() => cloneRecord({ deep: [{ in: make() }] })).toThrow(why);
    expect(() => cloneRecord({ here: make() })).toThrow(why);
  });

  test('of what goes in circles or too deep are refused', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => cloneValue(circle)).toThrow('nested deeper than 200 levels');
    let deep: unknown = 'bottom';
    for (let i = 0; i < 200; i++) deep = { deep };
    expect(sameValue(cloneValue(deep), deep)).toBe(true);
  });

  test('keep an own __proto__ as a field', () => {
    const hostile = JSON.parse('{"__proto__":{"a":{"b":1}},"c":1}') as object;
    const copy = cloneRecord(hostile);
    expect(Object.keys(copy)).toEqual(['__proto__', 'c']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(sameRecord(copy, hostile)).toBe(true);
  });
});

describe('values that are not the same', () => {
  const pairs: Array<[unknown, unknown]> = [
    [1, '1'],
    [null, undefined],
    [null, {}],
    [[], {}],
    [[1], [1, 2]],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: 1, b: undefined }],
    [{ a: undefined }, { b: undefined }],
    [{ a: 1 }, { b: 1 }],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
    [new Date(1), new Date(2)],
    [new Date(1), {}],
    [new Uint8Array([1]), new Uint8Array([2])],
    [new Uint8Array([1]), [1]],
    [new Uint8Array([1, 0]), new Uint8Array([1])],
    [/a/, /a/g],
    [new Map([[1, 2]]), new Map([[1, 3]])],
    [new Set([1]), new Set([2])],
    [new Set([1]), new Map()],
    [new Error('a'), new Error('a')],
  ];
  test.each(pairs)('%o and %o', (a, b) => {
    expect(sameValue(a, b)).toBe(false);
    expect(sameValue(b, a)).toBe(false);
    expect(sameRecord({ in: a }, { in: b })).toBe(false);
  });

  test('fields may be in any order', () => {
    expect(sameRecord({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  });
});

describe('the shapes', () => {
  test('a text', () => {
    const held = text.hold('a');
    expect(held.lend(borrower)).toBe('a');
    expect(held.adopt('a')).toBe(held);
    expect(held.adopt('bc')).toMatchObject({ value: 'bc', size: 2 });
    expect(() => held.adopt(null)).toThrow('expected a string, got null');
  });

  test('a thread is lent as a view, and kept whatever comes back', () => {
    const held = thread.hold({ threadId: 'real' } as never);
    expect(held.lend(borrower).threadId).toBe('view');
    expect(held.adopt('anything')).toBe(held);
    expect(held.size).toBe(0);
  });

  test('nothing is nothing', () => {
    expect([nothing.value, nothing.size, nothing.lend(borrower)]).toEqual([undefined, 0, undefined]);
    expect(nothing.adopt(5)).toBe(nothing);
  });

  test('the size of a record is that of its texts', () => {
    expect(draft.hold({ role: 'user', content: 'abc', metadata: { not: 'counted' } }).size).toBe(7);
  });

  const rules: Array<[typeof draft, unknown, string]> = [
    [draft, { role: 'robot', content: '' }, 'not a message: role must be system, user, assistant or tool'],
    [
      draft,
      { role: 'user' },
      'not a message: content must be a string or null, and is missing: was something not awaited?',
    ],
    [draft, undefined, 'expected a message, got nothing: return the message, changed or as it was'],
    [
      draft,
      { role: 'user', content: Promise.resolve('x') },
      'field content is a Promise, which has no form in JSON: await it',
    ],
    [draft, { role: 'user', content: '', id: 5 }, 'not a message: id must be a string'],
    [
      draft,
      { role: 'user', content: '', tool_calls: [] },
      'not a message: tool_calls must be JSON text, null or absent',
    ],
    [
      draft,
      { role: 'user', content: '', tool_call_id: 1 },
      'not a message: tool_call_id must be a string, null or absent',
    ],
    [draft, { role: 'user', content: '', name: 1 }, 'not a message: name must be a string, null or absent'],
    [
      draft,
      { role: 'user', content: '', parent_id: 1 },
      'not a message: parent_id must be a string, null or absent',
    ],
    [updates, { content: 5 }, 'not a set of updates: content must be a string or null'],
    [updates, { role: 'x' }, 'not a set of updates: role must be system, user, assistant or tool'],
    [updates, [], 'expected a set of updates, got a list'],
    [hookToolCall as never, { type: 'function' }, 'not a tool call: id must be a string'],
    [hookToolCall as never, { id: 'c', type: 'tool' }, "not a tool call: type must be 'function'"],
    [
      hookToolCall as never,
      { id: 'c', type: 'function' },
      'not a tool call: function must be an object with name and arguments',
    ],
    [
      hookToolCall as never,
      { id: 'c', type: 'function', function: {} },
      'not a tool call: function.name must be a string',
    ],
    [
      hookToolCall as never,
      { id: 'c', type: 'function', function: { name: 'x', arguments: {} } },
      'not a tool call: function.arguments must be JSON text',
    ],
    [hookToolResult as never, {}, "not a tool result: status must be 'success' or 'error'"],
    [
      hookToolResult as never,
      { status: 'error', error: 5 },
      'not a tool result: error must be a string or absent',
    ],
    [
      hookToolResult as never,
      { status: 'success', stack: 5 },
      'not a tool result: stack must be a string or absent',
    ],
    [
      hookToolResult as never,
      { status: 'success', attachments: [{}, 'a'] },
      'not a tool result: attachments[1] must be a file { name, mimeType, data } or a pointer to one',
    ],
    [
      hookToolResult as never,
      { status: 'success', attachments: {} },
      'not a tool result: attachments must be a list of attachments or absent',
    ],
    [
      hookToolResult as never,
      { status: 'success', result: [{ type: 'text', text: 'x' }] },
      'result must be a string or absent, and is a list of 1: put the texts of its parts into one string, and files into attachments, as { name, mimeType, data }',
    ],
    [
      draft,
      { role: 'user', content: [{ type: 'text' }, {}] },
      'content must be a string or null, and is a list of 2: put the texts of its parts into one string, and files into attachments, as { name, mimeType, data }',
    ],
  ];
  test.each(rules)('%o refuses %j', (shape, returned, why) => {
    expect(() => shape.hold({ before: true }).adopt(returned)).toThrow(why);
  });

  const brokenCalls: Array<[string, string]> = [
    ['not json', 'tool_calls must be the JSON text of a list of tool calls'],
    ['{}', 'tool_calls must be the JSON text of a list of tool calls'],
    ['[5]', 'tool_calls[0]: id must be a string'],
    ['[{"id":"x"}]', "tool_calls[0]: type must be 'function'"],
    [
      '[{"id":"x","type":"function","function":{"name":"t"}}]',
      'tool_calls[0]: function.arguments must be JSON text',
    ],
    [
      '[{"id":"x","type":"function","function":{"name":"t","arguments":{}}}]',
      'tool_calls[0]: function.arguments must be JSON text',
    ],
  ];
  test.each(brokenCalls)('the calls of a message must be calls: %s', (calls, why) => {
    const before = { id: 'm', role: 'assistant', content: null, created_at: 1 };
    for (const shape of [draft, message as unknown as typeof draft, updates])
      expect(() => shape.hold(before).adopt({ ...before, tool_calls: calls })).toThrow(why);
    const list = messages.hold([before as never]);
    expect(() => list.adopt([{ ...before, tool_calls: calls }])).toThrow(why);
  });

  test('broken calls that were there before are not the fault of a hook that left them', () => {
    const before = { id: 'm', role: 'assistant', content: 'a', created_at: 1, tool_calls: 'not json' };
    const after = { ...before, content: 'b' };
    expect(draft.hold(before).adopt(after).value).toEqual(after);
    const list = messages.hold([before as never]);
    const [lent] = list.lend(borrower) as never as [Record<string, unknown>];
    lent.content = 'b';
    expect(list.adopt([lent]).value).toEqual([after]);
  });

  test('calls may be none', () => {
    for (const calls of ['[]', null, undefined])
      expect(() => draft.hold({}).adopt({ role: 'user', content: '', tool_calls: calls })).not.toThrow();
  });

  test('an update may be of any fields', () => {
    expect(updates.hold({}).adopt({ score: 1 }).value).toEqual({ score: 1 });
  });
});

test('a value is named by its sort, never by what it holds', () => {
  const values = [undefined, null, [], {}, 'secret', 5, true, () => {}];
  expect(values.map(nameSortOfValue)).toEqual([
    'nothing',
    'null',
    'a list',
    'an object',
    'a string',
    'a number',
    'a boolean',
    'a function',
  ]);
});
