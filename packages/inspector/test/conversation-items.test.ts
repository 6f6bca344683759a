import { expect, test } from 'vitest';
import type { MessageRow, NamedRun } from '../src/api.ts';
import { listItems } from '../src/page/lib/conversation-items.ts';
import { writeSizes } from '../src/sizes.ts';

const run = (id: string, turnId: string | null, hook = 'before_user_message'): NamedRun => ({
  ...{ run: `${id} ${turnId}`, threadId: 't', turnId, step: 0, hook, id, source: 'policy', outcome: 'ok' },
  ...{ changed: false, at: 1, ms: 0, sizeBefore: 1, sizeAfter: 1 },
});
const message = (id: string, runs: readonly NamedRun[], before: readonly NamedRun[] = []): MessageRow =>
  ({
    ...{ id, role: 'user', createdAt: 2, content: id, toolCalls: null, toolCallId: null, name: null },
    runs,
    before,
  }) as never;

/** The rows in a line each. */
const write = (...given: Parameters<typeof listItems>): string[] =>
  listItems(...given).map((item) => {
    if (item.kind === 'turn') return `turn ${item.turn}`;
    return item.kind === 'message' ? item.message.id : item.runs.map(({ id }) => id).join(' ');
  });

test('what hooks did before the first message of a turn stands under its head, and not under the turn before', () => {
  const messages = [
    message('hello', [run('redact', 'one')], [run('check', 'one')]),
    message('answer', [run('redact', 'one')]),
    message('thanks', [run('redact', 'two')], [run('stop', 'one'), run('check', 'two')]),
  ];
  expect(write(messages, [])).toEqual([
    ...['turn one', 'check', 'hello', 'answer', 'stop'],
    ...['turn two', 'check', 'thanks'],
  ]);
});

test('a turn of which nothing is stored has a head of its own', () => {
  const messages = [
    message('hello', [run('redact', 'one')]),
    message('thanks', [run('redact', 'three')], [run('check', 'two'), run('check', 'three')]),
  ];
  expect(write(messages, [run('check', 'four')])).toEqual([
    ...['turn one', 'hello', 'turn two', 'check'],
    ...['turn three', 'check', 'thanks', 'turn four', 'check'],
  ]);
});

test('what is of no turn stays where it is, without a head', () => {
  const messages = [message('a', []), message('b', [run('redact', 'one')], [run('audit', null)])];
  expect(write(messages, [])).toEqual(['a', 'audit', 'turn one', 'b']);
});

test.each([
  ['before_create_message', true, '1,000 → 75 characters'],
  ['filter_messages', true, '1,000 → 75 messages'],
  ['constructor', false, '75 characters'],
])('the sizes of %s have their unit', (hook, changed, text) => {
  expect(writeSizes({ hook, changed, sizeBefore: 1_000, sizeAfter: 75 })).toBe(text);
});
