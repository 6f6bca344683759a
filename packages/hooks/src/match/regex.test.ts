import { describe, expect, test } from 'vitest';
import { DefinitionError } from '../errors.ts';
import { nativeRegex, regexFrom, regexLiteral } from './regex.ts';

const place = { compile: nativeRegex, clause: 'tools' };

function findRefusal(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    expect((error as DefinitionError).code).toBe('bad_matcher');
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

describe('/source/flags', () => {
  test.each([
    ['/^bash$/', 'bash', true],
    ['/^bash$/', 'bash\n', false],
    ['/^bash$/', 'x\nbash\n', false],
    ['/^bash$/m', 'x\nbash\ny', true],
    ['/BASH/i', 'bash', true],
    ['/fetch|web_fetch/', 'web_fetch_2', true],
    ['/a/b/', 'xa/by', true],
    ['/\\//', '/', true],
  ])('%s on %j: %s', (literal, text, expected) => {
    expect(regexLiteral(literal, place).test(text)).toBe(expected);
  });

  test('g and y are dropped, so that the same text gives the same answer again', () => {
    const regex = regexLiteral('/b/gy', place);
    expect([regex.test('ab'), regex.test('ab'), regex.test('ab')]).toEqual([true, true, true]);
    expect(regex.label).toBe('/b/');
    const given = regexFrom(/b/giy, place);
    expect([given.test('aB'), given.test('aB')]).toEqual([true, true]);
    expect(given.label).toBe('/b/i');
  });

  test.each([
    ['/abc', 'begins as a regular expression but is not closed', 'End it with "/".'],
    ['//', 'is empty', 'Write "*"'],
    ['/a/x', '"x" are not flags', 'in /a/x'],
    ['/a/ii', '"ii" are not flags', 'each once'],
    ['/a/uv', '"uv" are not flags', 'not u with v'],
    ['/a/|Bash', '"|Bash" are not flags', 'goes into an array'],
    [`/${'a'.repeat(1_025)}/`, 'has 1027 characters, more than 1024', 'Split it'],
  ])('refuses %s', (literal, problem, remedy) => {
    const message = findRefusal(() => regexLiteral(literal, place));
    expect(message).toMatch(/^Bad matcher, tools: /);
    expect(message).toContain(problem);
    expect(message).toContain(remedy);
  });
});

describe('the position of a syntax error', () => {
  test.each([
    ['a**', '', 2, '*'],
    ['*a', '', 0, '*'],
    ['(abc', '', 0, '('],
    ['a(b(c)', '', 1, '('],
    ['[abc', '', 0, '['],
    ['x[a(b', '', 1, '['],
    ['a)b', '', 1, ')'],
    ['[b-a]', '', 3, 'a'],
    ['ab\\', '', 2, '\\'],
    ['a{2,1}', '', 5, '}'],
    ['\\p{Nope}', 'u', 0, '\\'],
    ['[[a]', 'v', 0, '['],
  ])('%s with flags "%s": position %d, %s', (source, flags, position, char) => {
    const literal = `/${source}/${flags}`;
    const message = findRefusal(() => regexLiteral(literal, place));
    expect(message).toContain(
      `${literal} is not a regular expression: it breaks at position ${position}, at "${char}"`,
    );
  });

  test('is the same for the source of a file, which has no slashes', () => {
    const message = findRefusal(() =>
      regexFrom('rm\\s+(-rf', { compile: nativeRegex, clause: 'input.command' }),
    );
    expect(message).toContain('Bad matcher, input.command: /rm\\s+(-rf/');
    expect(message).toContain('position 5, at "("');
  });
});

test('a compiler of the caller gets source, kept flags and clause', () => {
  const seen: string[][] = [];
  const compile = (source: string, flags: string, clause: string) => {
    seen.push([source, flags, clause]);
    return { test: (text: string) => text === 'yes' };
  };
  const regex = regexFrom(/a+/giu, { compile, clause: 'input.url' });
  expect([regex.test('yes'), regex.test('a')]).toEqual([true, false]);
  expect(seen).toEqual([['a+', 'iu', 'input.url']]);
});
