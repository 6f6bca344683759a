import { expect, test } from 'vitest';
import { toolNames } from './tool-names.ts';

test('a name that models take stays as it is, behind the prefix', async () => {
  expect(await toolNames('mcp__git__', ['status', 'log-all', 'Diff_2'])).toEqual([
    'mcp__git__status',
    'mcp__git__log-all',
    'mcp__git__Diff_2',
  ]);
});

test('what a name may not hold becomes an underscore; where two names become one, all but the true one get a hash', async () => {
  expect(await toolNames('s__', ['issues.list', 'a b', 'ü'])).toEqual(['s__issues_list', 's__a_b', 's___']);
  const [plain, dotted, slashed] = await toolNames('s__', ['a_b', 'a.b', 'a/b']);
  expect(plain).toBe('s__a_b');
  expect(dotted).toMatch(/^s__a_b_[0-9a-f]{8}$/);
  expect(slashed).toMatch(/^s__a_b_[0-9a-f]{8}$/);
  expect(dotted).not.toBe(slashed);
});

test('a long name is cut to 64 characters and keeps its own hash, whatever stands beside it', async () => {
  const long = 'x'.repeat(80);
  const [first, second] = await toolNames('s__', [`${long}1`, `${long}2`]);
  expect(first).toHaveLength(64);
  expect(first).toMatch(/^s__x+_[0-9a-f]{8}$/);
  expect(first).not.toBe(second);
  expect(await toolNames('s__', [`${long}1`])).toEqual([first]);
});

test('no two tools get one name, also where a server names one as the hash of another', async () => {
  const [, hashed = ''] = await toolNames('s__', ['a_b', 'a.b']);
  const names = await toolNames('s__', ['a.b', 'a_b', hashed.slice('s__'.length)]);
  expect(new Set(names).size).toBe(3);
  expect(names[2]).toBe(hashed);
});

test('very many odd names take as many steps as there are names', async () => {
  const names = Array.from({ length: 200_000 }, (_, at) => `t.${at}`);
  expect(new Set(await toolNames('s__', names)).size).toBe(names.length);
});
