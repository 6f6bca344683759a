import { describe, expect, test } from 'vitest';
import { CONTEXT_LIMIT, mergeContexts } from './contexts.ts';

describe('texts of hooks as one message', () => {
  test('in their order, with an empty line between them', () => {
    expect(mergeContexts(['It is Monday.', 'It rains.'])).toEqual({
      content: 'It is Monday.\n\nIt rains.',
      texts: ['It is Monday.', 'It rains.'],
      leftOut: null,
    });
  });

  test('nothing to say is no message', () => {
    expect(mergeContexts([]).content).toBeNull();
    expect(mergeContexts(['', ' \n'])).toEqual({ content: null, texts: [], leftOut: null });
  });

  test('the same text is told once in a message, and not again where it was told', () => {
    expect(mergeContexts(['a', 'b', 'a', ' a\n']).content).toBe('a\n\nb');
    expect(mergeContexts(['a', 'b'], { told: new Set(['a']) }).content).toBe('b');
    expect(mergeContexts(['a'], { told: new Set(['a']) })).toEqual({
      content: null,
      texts: [],
      leftOut: null,
    });
  });

  test('what does not fit is left out whole, and the message says so', () => {
    const merged = mergeContexts(['12345', '123456789', 'abc', '678'], { limit: 10 });
    expect(merged).toEqual({
      content:
        '12345\n\nabc\n\n[Hooks had 2 more texts of 12 bytes for you; left out, as one message holds 10 bytes of them.]',
      texts: ['12345', 'abc'],
      leftOut: { count: 2, bytes: 12, limit: 10 },
    });
  });

  test('the budget is full to the byte, and one more is too many', () => {
    expect(mergeContexts(['12345', '123'], { limit: 10 }).leftOut).toBeNull();
    expect(mergeContexts(['12345', '1234'], { limit: 10 }).leftOut).toMatchObject({ count: 1, bytes: 4 });
    expect(mergeContexts(['x'.repeat(CONTEXT_LIMIT)]).leftOut).toBeNull();
    expect(mergeContexts(['x'.repeat(CONTEXT_LIMIT + 1)])).toMatchObject({
      texts: [],
      content: expect.stringMatching(/^\[Hooks had 1 more text of 32769 bytes for you; left out, /),
    });
  });

  test('it counts bytes, not characters', () => {
    expect(mergeContexts(['äöü'], { limit: 5 }).leftOut).toEqual({ count: 1, bytes: 6, limit: 5 });
    expect(mergeContexts(['äöü'], { limit: 6 }).leftOut).toBeNull();
  });
});
