import { DefinitionError } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { atOnce } from './pieces.ts';
import { covered, defaultFormat, makePlaceholders } from './placeholders.ts';
import { sampleRedaction } from './sample-redaction.ts';

describe('placeholders', () => {
  test('are recognised by label and number', () => {
    const { placed } = makePlaceholders(defaultFormat, ['EMAIL', 'DATE_OF_BIRTH']);
    expect(
      [...placed('a [EMAIL_12] b [DATE_OF_BIRTH_3] [IBAN_4]')].map(({ label, number }) => [label, number]),
    ).toEqual([
      ['EMAIL', 12],
      ['DATE_OF_BIRTH', 3],
      ['', 0],
    ]);
  });

  test.each([
    '[EMAIL_0]',
    '[EMAIL_012]',
    '[EMAIL_4111111111111111]',
    '[EMAIL_]',
    '[AKIAIOSFODNN7EXAMPLE_1]',
    '[a_1]',
  ])('%s is none', (text) => {
    expect([...makePlaceholders(defaultFormat, ['EMAIL']).placed(text)]).toEqual([]);
  });

  test('are covered without moving anything', () => {
    const { placed } = makePlaceholders(defaultFormat, ['EMAIL']);
    const text = 'to [EMAIL_1]!';
    expect(atOnce(covered(text, [...placed(text)]))).toBe(`to ${'\ufffc'.repeat(9)}!`);
  });

  test('in a form of your own', () => {
    const { text } = sampleRedaction({
      placeholder: (label, number) => `<${label.toLowerCase()} no. ${number}>`,
    });
    expect(text('anna@example.com, bob@example.com')).toBe('<email no. 1>, <email no. 2>');
    expect(text('<email no. 2>')).toBe('<email no. 2>');
  });

  test('also a form that looks like what it hides', () => {
    const { text } = sampleRedaction({
      placeholder: (label, number) => `${label.toLowerCase()}-${number}@redacted.example`,
    });
    const once = text('anna@example.com');
    expect(once).toBe('email-1@redacted.example');
    expect(text(once)).toBe(once);
  });

  test.each([
    () => '[X]',
    (_label: string, number: number) => `${number}`,
    (_label: string, number: number) => `${number}-${number}`,
    (_label: string, number: number) => `[${number + 1}]`,
    (_label: string, number: number) => `[0${number}]`,
  ])('a form without a number of its own is refused', (placeholder) => {
    expect(() => sampleRedaction({ placeholder })).toThrow(DefinitionError);
    expect(() => sampleRedaction({ placeholder })).toThrow(/placeholder must write the number exactly once/);
  });
});
