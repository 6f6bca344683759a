import fc from 'fast-check';
import picomatch from 'picomatch/posix.js';
import { describe, expect, test } from 'vitest';
import { DefinitionError } from '../errors.ts';
import { pathGlobs } from './globs.ts';

/** Holds a glob against a path that is relative to the folder the glob starts from. */
function matches(glob: string, path: string): boolean {
  const names = path.split('/');
  return pathGlobs(glob, 'paths').some(({ base, fitsBelow }) => {
    const baseNames = base === '' ? [] : base.split('/');
    return baseNames.every((name, i) => names[i] === name) && fitsBelow(names.slice(baseNames.length));
  });
}

describe('globs', () => {
  test.each([
    ['src/**', 'src/a/b.ts', true],
    ['src/**', 'src', true],
    ['src/**', 'srcs/a', false],
    ['src/*', 'src/a/b', false],
    ['src/*', 'src/.env', true],
    ['**/.env*', '.env', true],
    ['**/.env*', 'a/b/.env.local', true],
    ['**/.env*', 'a/.env/b', false],
    ['**/*.{ts,tsx}', 'a/b.tsx', true],
    ['**/*.{ts,tsx}', 'a/b.js', false],
    ['{a,b{c,d}}/x', 'bd/x', true],
    ['{a,b{c,d}}/x', 'b/x', false],
    ['a/**/z', 'a/z', true],
    ['a/**/z', 'a/b/c/z', true],
    ['**', 'any/.thing', true],
    ['file', 'file', true],
    ['file', 'file/x', false],
    ['a?c', 'abc', true],
    ['a?c', 'a\u{1F600}c', true],
    ['a?c', 'ac', false],
    ['[a-c_]x', '_x', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]]x', ']x', true],
    ['[a-]x', '-x', true],
    ['[\\]]x', ']x', true],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['\\{a,b\\}', '{a,b}', true],
    ['**/.env', 'a\nb/.env', true],
    ['*', 'a\nb', true],
    ['$x^|+@!', '$x^|+@!', true],
  ])('%s on %j: %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected);
  });

  test.each([
    ['~me/x', 'begins with "~" and a name', 'Write the folder out'],
    ['src/', 'ends with "/"', 'Write "**" after it'],
    ['src/**.ts', '"**" beside other characters', '**/*.ts'],
    ['*/../x', 'has ".." between slashes', 'leave it out'],
    ['*/./x', 'has "." between slashes', 'leave it out'],
    ['*//x', 'has "" between slashes', 'leave it out'],
    ['a{b', 'has a "{" without its "}"', 'Globs know'],
    ['a}', 'has a "}" without its "{"', 'Globs know'],
    ['{a}', 'has braces without a comma', 'Globs know'],
    ['{1..3}', 'has braces without a comma', 'Globs know'],
    ['[a', 'has a "[" without its "]"', 'Globs know'],
    ['a]', 'has "]"', 'Globs know'],
    ['@(a|b)', 'has "("', 'Globs know'],
    ['[[:alpha:]]', 'has "[" inside a class', '[A-Za-z]'],
    ['[z-a]', 'a range that runs backwards', 'lower character first'],
    ['a\\', 'has a "\\" with nothing after it', 'Globs know'],
    ['{a,b}'.repeat(9), 'more than 256 alternatives', 'several globs'],
    ['{,a}', 'an alternative that is empty', 'Name a file'],
    [`${'a'.repeat(1_025)}`, 'has 1025 characters', 'Split it'],
  ])('refuses %s', (glob, problem, remedy) => {
    expect(() => pathGlobs(glob, 'paths')).toThrow(DefinitionError);
    expect(() => pathGlobs(glob, 'paths')).toThrow(problem);
    expect(() => pathGlobs(glob, 'paths')).toThrow(remedy);
  });

  test('agrees with picomatch, except that a folder is always part of folder/**', () => {
    const name = fc.constantFrom(
      'a',
      'b',
      '.a',
      'ab',
      'a.b',
      '*',
      'a*',
      '*b',
      '?',
      '.*',
      '[ab]',
      '[!a]',
      '{a,b}',
      '{a,.b}*',
    );
    const glob = fc
      .array(fc.oneof({ weight: 3, arbitrary: name }, { weight: 1, arbitrary: fc.constant('**') }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((names) => names.join('/'));
    const path = fc
      .array(fc.constantFrom('a', 'b', '.a', '.b', 'ab', 'a.b', '.ab', 'c'), { minLength: 1, maxLength: 4 })
      .map((names) => names.join('/'));
    fc.assert(
      fc.property(glob, path, (pattern, file) => {
        const isMatch = (glob: string) => picomatch.isMatch(file, glob, { dot: true, posix: true });
        expect(matches(pattern, file)).toBe(
          isMatch(pattern) || isMatch(pattern.replace(/(?<=.)(?:\/\*\*)+$/, '')),
        );
      }),
      { numRuns: 3_000 },
    );
  });

  test('stays quick on a path that would keep a regular expression busy for seconds', () => {
    const started = process.cpuUsage();
    expect(matches('**/*a*a*a*b', 'a'.repeat(100_000))).toBe(false);
    expect(matches('**/a/**/b/**/c', 'a/b/'.repeat(20_000))).toBe(false);
    expect(process.cpuUsage(started).user).toBeLessThan(500_000); // µs
  });
});
