import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredMessage } from '../stores/store.ts';
import { findCut } from './cut.ts';
import { validExchanges } from './exchanges.ts';

const message = (id: string, fields: Partial<StoredMessage>): StoredMessage => ({
  id,
  role: 'user',
  content: 'text',
  created_at: 1,
  ...fields,
});

/** `u` a user’s message, `a` an answer, a digit an answer with so many calls whose results follow. */
function conversation(plan: string): StoredMessage[] {
  return plan.split('').flatMap((kind, at) => {
    if (kind === 'u') return [message(`${at}`, {})];
    if (kind === 'a') return [message(`${at}`, { role: 'assistant' })];
    const calls = Array.from({ length: Number(kind) }, (_, n) => ({
      id: `call_${n}`, // Models use ids again.
      type: 'function',
      function: { name: 'look', arguments: '{}' },
    }));
    return [
      message(`${at}`, { role: 'assistant', content: null, tool_calls: JSON.stringify(calls) }),
      ...calls.map(({ id }) => message(`${at}-${id}`, { role: 'tool', tool_call_id: id })),
    ];
  });
}

const cut = (plan: string, keepTokens: number, inTurn: boolean = false): number => {
  const messages = conversation(plan);
  return findCut(messages, { tokens: messages.map(() => 10), keepTokens, inTurn });
};

test('keeps as many of the newest messages as the tokens allow', () => {
  expect(cut('uauaua', 0)).toBe(6);
  expect(cut('uauaua', 20)).toBe(4);
  expect(cut('uauaua', 29)).toBe(4);
  expect(cut('uauaua', 60)).toBe(0);
  expect(cut('', 0)).toBe(0);
});

test('takes an exchange whole, or leaves it whole', () => {
  expect(cut('u2ua', 20)).toBe(4);
  expect(cut('u2ua', 30)).toBe(4); // Not between the second result and its call.
  expect(cut('u2ua', 50)).toBe(1);
});

test('in a turn, the message to be answered and the newest exchange stay', () => {
  expect(cut('uauau', 0, true)).toBe(4);
  expect(cut('uau11', 0, true)).toBe(5);
  expect(cut('uau2u', 0, true)).toBe(3);
  expect(cut('uaa', 0, true)).toBe(2); // The other side’s words, in a talk of two.
  expect(cut('uu', 0, true)).toBe(1);
});

test('whatever the conversation, both parts are valid on their own', () => {
  const plan = fc.stringMatching(/^[ua123]{0,30}$/);
  fc.assert(
    fc.property(plan, fc.nat(400), fc.boolean(), (kinds, keepTokens, inTurn) => {
      const messages = conversation(kinds);
      const at = cut(kinds, keepTokens, inTurn);
      for (const part of [messages.slice(0, at), messages.slice(at)])
        expect(validExchanges(part)).toEqual(part);
      if (inTurn && messages.length > 0) expect(at).toBeLessThan(messages.length);
    }),
    { numRuns: 300 },
  );
});
