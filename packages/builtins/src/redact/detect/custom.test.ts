import { DefinitionError } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { sampleRedaction } from '../sample-redaction.ts';
import { customDetector } from './custom.ts';

describe('custom patterns', () => {
  test('a regular expression, with or without the g flag', () => {
    for (const pattern of [/\bC-\d{4}\b/, /\bC-\d{4}\b/g]) {
      const { text } = sampleRedaction({ kinds: [], custom: [{ name: 'customer_number', pattern }] });
      expect(text('C-1234 and C-5678 and C-1234')).toBe(
        '[CUSTOMER_NUMBER_1] and [CUSTOMER_NUMBER_2] and [CUSTOMER_NUMBER_1]',
      );
      expect(text('C-1234 again')).toBe('[CUSTOMER_NUMBER_1] again');
    }
  });

  test('a function, and spellings that are one value', () => {
    const pattern = (text: string): { start: number; end: number }[] =>
      [...text.matchAll(/passport (\w+)/gi)].map((match) => ({
        start: match.index + 9,
        end: match.index + match[0].length,
      }));
    const { text } = sampleRedaction({
      custom: [{ name: 'passport', pattern, normalize: (value) => value.toUpperCase() }],
    });
    expect(text('passport c01x00t47, Passport C01X00T47')).toBe(
      'passport [PASSPORT_1], Passport [PASSPORT_1]',
    );
  });

  test('wins over a built-in kind that finds the same', () => {
    const { text } = sampleRedaction({ custom: [{ name: 'staff', pattern: /\w+@ourselves\.example/ }] });
    expect(text('ada@ourselves.example, bob@example.com')).toBe('[STAFF_1], [EMAIL_1]');
  });

  test('one that throws, or reports nonsense, ends the redaction without quoting the text', () => {
    const fails = sampleRedaction({
      custom: [
        {
          name: 'bad',
          pattern: () => {
            throw new Error('boom');
          },
        },
      ],
    });
    expect(() => fails.text('some text')).toThrow('boom');
    const lies = sampleRedaction({ custom: [{ name: 'bad', pattern: () => [{ start: 5, end: 500 }] }] });
    expect(() => lies.text('some secret text')).toThrow(
      /^The function of the custom pattern "bad" must return ranges \{ start, end \} within the text/,
    );
  });

  test.each<[string, unknown]>([
    ['a promise of ranges', async () => [{ start: 0, end: 4 }]],
    ['nothing', () => undefined],
    ['a number', () => 5],
    ['an object', () => ({ start: 0, end: 4 })],
  ])('one that gives %s is told, for it would find nothing', (_, pattern) => {
    const { text } = sampleRedaction({ custom: [{ name: 'bad', pattern: pattern as never }] });
    expect(() => text('some secret text')).toThrow(
      /^The function of the custom pattern "bad" must return a list of ranges, and not a promise of one\.$/,
    );
  });

  test.each<[string, unknown]>([
    ['a promise', async (value: string) => value],
    ['nothing', () => undefined],
    ['an object', () => ({})],
  ])('one whose spelling is %s is told, for all values would be one', (_, normalize) => {
    const custom = [{ name: 'bad', pattern: /\bC-\d+/, normalize: normalize as never }];
    expect(() => sampleRedaction({ custom }).text('of C-1 and C-2')).toThrow(
      /^normalize of the custom pattern "bad" must return a text\.$/,
    );
  });

  test.each([
    [
      { name: 'Customer Number', pattern: /x/ },
      /name of a custom pattern must be snake_case letters.*"Customer Number"/,
    ],
    [{ name: 'customer', pattern: 'x' as never }, /"customer" must be a regular expression or a function/],
  ])('is refused where it is none: %o', (custom, message) => {
    expect(() => customDetector(custom)).toThrow(DefinitionError);
    expect(() => customDetector(custom)).toThrow(message);
  });
});
