import { describe, expect, test } from 'vitest';
import { compileMatcher, type RunError } from '../index.ts';
import { quickLength } from './regex-ways.ts';
import { timedRegexes } from './timed-regexes.ts';

const evil = `${'a'.repeat(40)}!`;

/** Patterns with a text on which a search of theirs takes longer than anybody waits. */
const catastrophes = [
  ['^(a+)+$', evil],
  ['^(a|a)*$', evil],
  ['^(a|aa)+$', evil.repeat(3)],
  ['(.*)*=\\1', `${'x'.repeat(30)}`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(60)],
  ['^(?:.*a){20}$', `${'a'.repeat(40)}b`],
] as const;

describe('patterns that run as they are on texts that are not too long', () => {
  test.each([
    '^bash$',
    '^(bash|write_file)$',
    'fetch|web_fetch',
    '\\.(env|key|pem)$',
    '[a-z]{1,20}',
    'a?b?c?',
    '(?:x|y)(?<n>z)',
    '[*+]',
    '\\*\\+\\(',
    '(?<!a)b',
  ])('%s', (source) => expect(quickLength(source)).toBeGreaterThan(4_000));
});

describe('patterns that get a limit of time', () => {
  test.each([
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(a|b){1,20}',
    'a{1,20}b{1,20}c{1,20}',
    '(x+x+)+y',
    '(a+)+',
    '(?:a|b)*',
  ])('%s', (source) => expect(quickLength(source)).toBe(0));
});

describe('patterns with parts of any length', () => {
  test.each([
    ['.*', 1],
    ['rm\\s+-rf', 1],
    ['a{2,}', 1],
    ['(?=a+)b', 1],
    ['^.*a.*b', 2],
    ['(.*a){20}', 20],
  ])('%s gets a limit on a text that is long for its %j parts', (source, parts) => {
    const length = quickLength(source);
    expect(length).toBeGreaterThan(0);
    expect(length ** (parts + 1)).toBeLessThanOrEqual(2_000_000);
  });
});

describe('ways that many characters multiply', () => {
  test('a bounded pattern gets a limit on a long text', () => {
    expect(quickLength('^bash$')).toBe(333_333);
    expect(quickLength('a{1,30}a{1,30}c')).toBe(36);
    expect(quickLength('(?:a{1000}){1000}b')).toBe(1);
    expect(quickLength('')).toBe(2_000_000);
  });

  test.each([
    '.*x',
    '\\s+$',
    '(?:a|aa)+$',
    '(.*){3}b',
    'a{1,30}a{1,30}c',
    `${'a'.repeat(1_000)}b`,
    'a{100}a{1000}b',
    `(?:${'a?'.repeat(9)}){1}b`,
  ])('%s takes no longer than it may on a megabyte', (source) => {
    const tester = timedRegexes(50).compile(source, '', 'x');
    const texts = [Math.min(tester.quickUpTo, 1_000_000), 1_000_000].map((length) => 'a'.repeat(length));
    for (const text of texts) {
      const startedAt = process.cpuUsage();
      try {
        tester.test(text);
      } catch (error) {
        expect(error).toMatchObject({ code: 'regex_timeout' });
      }
      expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000); // µs
    }
  });
});

describe('a timed regular expression', () => {
  test.each(catastrophes)('%s ends', (source, text) => {
    const { compile } = timedRegexes(50);
    const started = process.cpuUsage();
    let thrown: unknown;
    try {
      compile(source, '', 'input.url').test(text);
    } catch (error) {
      thrown = error;
    }
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000); // µs
    expect((thrown as RunError).code).toBe('regex_timeout');
    expect((thrown as RunError).message).toContain(`/${source}/`);
    expect((thrown as RunError).message).toContain(`input.url (on a text of ${text.length} characters)`);
    expect((thrown as RunError).message).not.toContain(text);
  });

  test('works again after one that took too long', () => {
    const { compile, within } = timedRegexes(20);
    expect(() => compile('^(a+)+$', '', 'x').test(evil)).toThrow('did not finish');
    expect(compile('a+', '', 'x').test('caat')).toBe(true);
    expect(within(() => compile('b+', '', 'x').test('caat'))).toBe(false);
  });

  test('has the meaning of JavaScript: lookbehind, backreferences, named groups, flags', () => {
    const { compile } = timedRegexes();
    expect(compile('(?<=\\$)\\d+', '', 'x').test('costs $42')).toBe(true);
    expect(compile('^(?<q>[\'"]).*\\k<q>$', '', 'x').test('"a"')).toBe(true);
    expect(compile('^\\s+$', '', 'x').test('\u00a0\ufeff')).toBe(true);
    expect(compile('^.+$', 'u', 'x').test('\u{1f600}')).toBe(true);
    expect(compile('A+', 'i', 'x').test('a')).toBe(true);
  });

  test('shares its limit with the others of one piece of work, and names the one that was running', () => {
    const { compile, within } = timedRegexes(30);
    const quick = compile('a+', '', 'rule "one"');
    const slow = compile('^(a+)+$', '', 'rule "two"');
    expect(() => within(() => [quick.test('aaa'), slow.test(evil), quick.test('aaa')])).toThrow('rule "two"');
  });

  test('lets errors of the work through', () => {
    expect(() =>
      timedRegexes().within(() => {
        throw new TypeError('its own');
      }),
    ).toThrow(TypeError);
  });

  test('is what matchers from files are compiled with', () => {
    const { compile } = timedRegexes(20);
    const matcher = compileMatcher({ input: { command: '^(a+)+$' } }, { regex: compile });
    expect(matcher.test({ name: 'bash', input: { command: 'aaa' } })).toBe(true);
    expect(() => matcher.test({ name: 'bash', input: { command: evil } })).toThrow('input.command');
  });
});
