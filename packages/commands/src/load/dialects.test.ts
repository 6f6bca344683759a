import { expect, test } from 'vitest';
import { dialectNames } from '../dialect-traits.ts';
import { dialectsWith } from './dialects.ts';

test('every dialect that has a name is tried', () => {
  expect(
    dialectsWith()
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...dialectNames].sort());
});
