import { expect, test } from 'vitest';
import { parseBaseline } from './baseline.ts';

test('a baseline has a reason for each id', () => {
  expect(parseBaseline('{ "a.b": "not yet" }')).toEqual({ 'a.b': 'not yet' });
  expect(parseBaseline('{}')).toEqual({});
});

test.each([
  ['{ "a.b": ', 'The baseline is not JSON.'],
  ['["a.b"]', 'A baseline is an object'],
  ['null', 'A baseline is an object'],
  ['{ "a.b": "" }', 'gives no reason for "a.b"'],
  ['{ "a.b": true }', 'gives no reason for "a.b"'],
])('%s is refused', (json, message) => {
  expect(() => parseBaseline(json)).toThrow(
    expect.objectContaining({ name: 'DefinitionError', code: 'bad_option' }),
  );
  expect(() => parseBaseline(json)).toThrow(message);
});
