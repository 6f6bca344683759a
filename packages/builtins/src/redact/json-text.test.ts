import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonTokens } from './json-text.ts';
import { atOnce } from './pieces.ts';

describe('the tokens of a JSON text', () => {
  test('have their place and their path', () => {
    const text = '{"a": [1, "x", {"b": -2.5e3}], "c\\u0064": "\\"y\\""}';
    const tokens = atOnce(jsonTokens(text)) ?? [];
    expect(
      tokens.map(({ kind, start, end, path }) => [kind, text.slice(start, end), path.join('.')]),
    ).toEqual([
      ['key', '"a"', 'a'],
      ['number', '1', 'a.0'],
      ['string', '"x"', 'a.1'],
      ['key', '"b"', 'a.2.b'],
      ['number', '-2.5e3', 'a.2.b'],
      ['key', '"c\\u0064"', 'cd'],
      ['string', '"\\"y\\""', 'cd'],
    ]);
  });

  test.each(['', 'plain', '42', 'true', '{', '{"a":1', "{'a':1}", '[1,]', '{"a":1} tail', '"open'])(
    '%j has none',
    (text) => {
      expect(atOnce(jsonTokens(text))).toBeUndefined();
    },
  );

  test('of any JSON value are all of its strings, keys and numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        fc.pre(typeof value === 'object' && value !== null);
        const text = JSON.stringify(value, null, indent);
        const tokens = (atOnce(jsonTokens(text)) ?? []).map(({ start, end }) =>
          JSON.parse(text.slice(start, end)),
        );
        expect(tokens).toEqual(leaves(JSON.parse(text)));
      }),
    );
  });
});

function leaves(value: unknown): unknown[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...leaves(item)]);
}
