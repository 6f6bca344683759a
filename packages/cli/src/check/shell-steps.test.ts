import { describe, expect, test } from 'vitest';
import { type CheckedStep, shellSteps, usesBashTest } from './shell-steps.ts';

const findStep = (line: string, name: string): CheckedStep | undefined =>
  shellSteps(line).find(({ words }) => words[0] === name);

describe('the commands of a line', () => {
  test.each<[string, string, Partial<CheckedStep>]>([
    ['a || b', 'b', { before: '||' }],
    ['a ||\n  b', 'b', { before: '||' }],
    ['a | # c\nb', 'b', { before: '|' }],
    ['(a) && b', 'a', { before: '(', after: ')' }],
    ['(a) && b', 'b', { before: '&&', after: '' }],
    ['a >x', 'a', { output: 'elsewhere', errors: 'shown' }],
    ['a 2>x', 'a', { output: 'shown', errors: 'elsewhere' }],
    ['a 2>>x', 'a', { output: 'shown', errors: 'elsewhere' }],
    ['a 3>x', 'a', { output: 'shown', errors: 'shown' }],
    ['a >&2', 'a', { output: 'elsewhere', errors: 'shown' }],
    ['a &>x', 'a', { output: 'elsewhere', errors: 'elsewhere' }],
    ['a >&x', 'a', { output: 'elsewhere', errors: 'elsewhere' }],
    ["a '>' x", 'a', { output: 'shown' }],
    ['a |& b', 'a', { output: 'elsewhere', errors: 'elsewhere' }],
    ['if ! a; then b; fi', 'a', { isCondition: true }],
    ['if ! a; then b; fi', 'b', { isCondition: false }],
    ['A=1 a', 'a', { assigns: ['A'], words: ['a'] }],
    ['x=$(a b); c', 'a', { isInside: true, textBefore: 'x=$(' }],
    ['x=$(a b); c', 'c', { isInside: false, textBefore: 'x=$(a b);' }],
    ['a <<E\nb\nE\nc', 'a', { isCertain: false, words: ['a'] }],
    ['a <<E\n$(b)\nE\nc', 'b', { isInside: true, isCertain: false }],
    ['a <<E\nb\nE\nc', 'c', { isCertain: false }],
    ['a `b c` d', 'b', { isInside: true }],
  ])('%j: %s', (line, name, expected) => {
    expect(findStep(line, name)).toMatchObject(expected);
  });

  test.each<[string, string, boolean]>([
    ['echo case; a', 'a', true],
    ['echo "[[" ; a', 'a', true],
    ['case x in y) a;; esac; b', 'b', false],
    ['f() { a; }; b', 'b', false],
    ['function f { a; }; b', 'b', false],
    ['[[ a ]] && b', 'b', false],
    ['x=$([[ y ]] && a); b', 'b', true],
    ['x=$([[ y ]] && a); b', 'a', false],
    ['x=$(a) || b', 'a', true],
    ['x || y=$(a)', 'a', false],
  ])('%j: whether %s surely runs where it stands is %s', (line, name, isCertain) => {
    expect(findStep(line, name)?.isCertain).toBe(isCertain);
  });

  test('are none where the line cannot be read', () => {
    expect(shellSteps('a "b')).toEqual([]);
  });
});

test.each([
  ['[[ a ]]', true],
  ['x=$([[ a ]] && b)', true],
  ['case x in y) [[ a ]];; esac', true],
  ['while [[ a ]]; do b; done', true],
  ["echo '[[ a ]]'", false],
  ['echo [[ a ]]', false],
  ['[ a ]', false],
])('%j uses a test of bash: %s', (line, isUsed) => {
  expect(usesBashTest(line)).toBe(isUsed);
});
