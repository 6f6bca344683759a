import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkMessage } from './checks.ts';
import { llmMessages, messages } from './index.ts';
import { listShape } from './list.ts';
import type { Borrower } from './shape.ts';

const borrower: Borrower = { view: (state) => state };
const shape = listShape<object>('message', checkMessage);

type Message = Record<string, unknown>;

const at = 1_760_000_000_000_000;
const user = (id: string): Message => ({ id, role: 'user', content: `text of ${id}`, created_at: at });

const stored = (id: string): Message => {
  const result = { role: 'tool', content: 'ok', name: 'get_order', tool_call_id: 'c1', status: 'success' };
  return { id, created_at: at, ...result };
};

/** Messages of every layout, and some of none. */
const everySort = (): Message[] => [
  user('m1'),
  { id: 'm2', role: 'assistant', content: null, tool_calls: '[]', created_at: at },
  { id: 'm3', role: 'tool', content: 'ok', tool_call_id: 'c1', created_at: at },
  { id: 'm4', role: 'tool', content: 'ok', name: 'get_order', tool_call_id: 'c1', created_at: at },
  { id: 'm10', role: 'tool', content: 'ok', tool_call_id: 'c1', created_at: at, metadata: 'x' },
  { id: 'm11', role: 'user', content: 'x', created_at: at, metadata: 'x' },
  { id: 'm12', role: 'assistant', content: '', tool_calls: '[]', created_at: at, metadata: 'x' },
  stored('m13'),
  { ...stored('m14'), metadata: 'x' },
  { ...stored('m15'), metadata: 'x', more: 1 },
  { role: 'user', content: 'x', name: 'bob' },
  { id: 'm5', role: 'user', content: 'x', created_at: at, metadata: { nested: [1, { deep: true }] } },
  { id: 'm6', role: 'user', content: 'x', created_at: at, name: undefined },
  { created_at: at, content: 'another order of fields', role: 'system', id: 'm7' },
  {
    id: 'm8',
    role: 'user',
    content: 'x',
    name: null,
    tool_calls: null,
    tool_call_id: null,
    created_at: at,
    parent_id: null,
    depth: 0,
  },
  { id: 'm9', role: 'user', content: 'x', score: 5 },
];

const set = (message: Message, field: string, value: unknown): void => {
  message[field] = value;
};

describe('a held list', () => {
  test.each(everySort().map((message) => [message]))(
    'lends a copy of %j that equals it and shares nothing',
    (message) => {
      const held = shape.hold([message]);
      const [copy] = held.lend(borrower) as Message[];
      expect(copy).toStrictEqual(message);
      expect(copy).not.toBe(message);
      if (typeof message.metadata === 'object') expect(copy?.metadata).not.toBe(message.metadata);
    },
  );

  test.each(everySort().map((message) => [message]))(
    'keeps %j itself where it comes back untouched',
    (message) => {
      const value = [message];
      const held = shape.hold(value);
      expect(held.adopt(held.lend(borrower))).toBe(held);
      held.lend(borrower);
      expect(held.adopt([{ ...message }])).toBe(held);
      expect(held.value).toBe(value);
    },
  );

  const edits: Array<[string, (message: Message) => void]> = [
    ['another value', (m) => set(m, 'content', 'new')],
    ['null for a text', (m) => set(m, 'content', m.content === null ? 'new' : null)],
    ['another id', (m) => set(m, 'id', 'new')],
    ['another role', (m) => set(m, 'role', m.role === 'user' ? 'assistant' : 'user')],
    ['another time', (m) => set(m, 'created_at', at + 1)],
    ['a new field', (m) => set(m, 'added', 1)],
    [
      'a field for another',
      (m) => {
        delete m.content;
        m.content = 'text';
      },
    ],
    ['a changed call', (m) => set(m, 'tool_calls', '[{}]')],
    ['a changed call id', (m) => set(m, 'tool_call_id', 'c2')],
    ['a changed name', (m) => set(m, 'name', 'new')],
    ['another status', (m) => set(m, 'status', 'error')],
    ['other metadata', (m) => set(m, 'metadata', 'new')],
  ];

  test.each(edits.flatMap(([name, edit]) => everySort().map((message) => ({ name, edit, message }))))(
    'sees $name in $message',
    ({ edit, message }) => {
      const held = shape.hold([message]);
      const before = structuredClone(message);
      const lent = held.lend(borrower) as [Message];
      edit(lent[0]);
      if (checkMessage(lent[0]) !== undefined) return expect(() => held.adopt(lent)).toThrow('not a message');
      const adopted = held.adopt(lent);
      expect(adopted).not.toBe(held);
      expect(adopted.value).toStrictEqual(lent);
      expect(adopted.value[0]).not.toBe(lent[0]);
      expect(message).toStrictEqual(before);
    },
  );

  test('sees a change deep in a nested value', () => {
    const held = shape.hold(everySort());
    const lent = held.lend(borrower) as Message[];
    const nested = lent.find(({ id }) => id === 'm5');
    const { metadata } = nested as { metadata: { nested: [number, { deep: boolean }] } };
    metadata.nested[1].deep = false;
    expect(held.adopt(lent)).not.toBe(held);
  });

  const orders: Array<[string, (list: object[]) => object[]]> = [
    ['sliced', (list) => list.slice(-3)],
    ['cut at the end', (list) => list.slice(0, 4)],
    ['filtered', (list) => list.filter((_, i) => i % 3 !== 1)],
    ['reversed in place', (list) => list.reverse()],
    [
      'shifted in place',
      (list) => {
        list.shift();
        return list;
      },
    ],
    [
      'sorted',
      (list) => list.toSorted((a, b) => ((a as { id: string }).id < (b as { id: string }).id ? 1 : -1)),
    ],
    ['doubled', (list) => [...list, ...list]],
    ['with one more in front', (list) => [user('new'), ...list]],
    [
      'unshifted in place',
      (list) => {
        list.unshift(user('new'));
        return list;
      },
    ],
    ['empty', () => []],
  ];

  test.each(orders)('%s: untouched messages stay the objects they were', (_name, reorder) => {
    const value = everySort();
    const held = shape.hold(value);
    const lent = held.lend(borrower);
    const originalOf = new Map(lent.map((copy, i) => [copy, value[i]]));
    const returned = reorder(lent);
    const expected = returned.map((copy) => originalOf.get(copy) ?? copy);
    const adopted = held.adopt(returned).value;
    expect(adopted).toStrictEqual(expected);
    adopted.forEach((message, i) => {
      if (value.includes(expected[i] as Message)) expect(message).toBe(expected[i]);
    });
  });

  test('a message that was stored with a role nobody knows stays, as long as no hook changes it', () => {
    const value = [user('m1'), { ...user('m2'), role: 'developer' }];
    const held = shape.hold(value);
    expect(held.adopt(held.lend(borrower).reverse()).value).toEqual([...value].reverse());
    const lent = held.lend(borrower) as Message[];
    (lent[1] as Message).content = 'new';
    expect(() => held.adopt(lent)).toThrow('not a message: role must be');
  });

  test('any list: what comes out equals what the hook returned, and shares nothing with it', () => {
    const message = fc.constantFrom(...everySort().filter((one) => checkMessage(one) === undefined));
    const steps = fc.array(fc.constantFrom('drop', 'swap', 'edit', 'add', 'copy'), { maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 8 }),
        steps,
        fc.infiniteStream(fc.nat(100)),
        (list, changes, numbers) => {
          const value = list.map((one, i) => ({ ...structuredClone(one), id: `x${i}` }));
          const before = structuredClone(value);
          const held = shape.hold(value);
          const lent = held.lend(borrower) as Message[];
          const place = (): number => (numbers.next().value as number) % Math.max(1, lent.length);
          for (const change of changes) {
            const i = place();
            if (change === 'drop') lent.splice(i, 1);
            if (change === 'add') lent.splice(i, 0, user(`new${i}`));
            if (lent.length === 0) continue;
            if (change === 'edit') (lent[i] as Message).content = 'edited';
            if (change === 'copy') lent[i] = { ...lent[i] };
            if (change === 'swap') lent.unshift(...lent.splice(i, 1));
          }
          const returned = structuredClone(lent);
          const adopted = held.adopt(lent);
          expect(adopted.value).toStrictEqual(returned);
          expect(adopted === held).toBe(isDeepStrictEqual(returned, before));
          for (const one of lent) one.content = 'late';
          expect(adopted.value).toStrictEqual(returned);
          expect(value).toStrictEqual(before);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('messages for the model have their own check, and may have nested calls', () => {
  const held = llmMessages.hold([{ role: 'assistant', content: null, tool_calls: [{ id: 'c1' }] }]);
  const [lent] = held.lend(borrower) as never as [{ tool_calls: Array<{ id: string }> }];
  expect(held.adopt([lent])).toBe(held);
  (lent.tool_calls[0] as { id: string }).id = 'c2';
  expect(held.adopt([lent]).value).toEqual([
    { role: 'assistant', content: null, tool_calls: [{ id: 'c2' }] },
  ]);
  expect(held.value[0]?.tool_calls).toEqual([{ id: 'c1' }]);
  expect(() => held.adopt([{ role: 'user', content: 5 }])).toThrow('content must be a string or null');
});

test('sizes are items of a list', () => {
  expect(messages.hold([]).size).toBe(0);
  expect(shape.hold([user('a'), user('b')]).size).toBe(2);
});
