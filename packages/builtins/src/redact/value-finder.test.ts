import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KeptValue } from './kept-value.ts';
import { atOnce } from './pieces.ts';
import { sampleRedaction } from './sample-redaction.ts';
import { redactText } from './text.ts';
import { findValuesOfCall, findValuesOfTools } from './value-finder.ts';
import { foldedText } from './view.ts';

const kept = (text: string, number = 1): KeptValue => ({
  ...{ label: 'SECRET', number, text, values: [text] },
  ...{ isNumber: false, isOut: true, isSaid: true },
});

/** What is left of a text once the values of a call are taken out of it, with each placeholder as `#`. */
function without(text: string, values: readonly string[]): string {
  const { redactor, memory } = sampleRedaction();
  const findGiven = findValuesOfCall(values.map((value, index) => kept(value, index + 1)));
  const place = { memory, seen: { origin: 'tool', findGiven }, key: undefined } as const;
  const next = redactText(text, { ...redactor, detectors: [] }, { ...place, isNumber: false, asked: false });
  return atOnce(next).replace(/\[SECRET_\d+\]/g, '#');
}

const escaped = (text: string): string => JSON.stringify(text).replace(/[^\0-\x7f]/g, unit);
const unit = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

describe('a value with signs of other scripts', () => {
  test.each([
    'm²geheim9x',
    'abc123！xy',
    'пароль٣٤٥٦x',
    '日本語パスワード９',
    'ab①②cd９',
    'ＡＢＣ９ｄｅｆ',
    'a²²b',
  ])('is found as it is, escaped, and with plain ones: %s', (value) => {
    expect(without(`got ${value}.`, [value])).toBe('got #.');
    expect(without(`got ${escaped(value)}.`, [value])).toBe('got "#".');
    expect(without(`got ${value.toUpperCase()}.`, [value])).toBe('got #.');
    const plain = value.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
    expect(without(`got ${plain.normalize('NFKC')}.`, [value])).toBe('got #.');
    expect(without(`got ${value}.`, [plain.normalize('NFKC')])).toBe('got #.');
  });

  test('is found later on too', () => {
    const find = findValuesOfTools([kept('m²geheim9x'), kept('９９８７', 2)]);
    expect([...(find?.(foldedText('m²geheim9x')) ?? [])].map(({ value }) => value.number)).toEqual([1]);
    expect([...(find?.(foldedText('pin ９９８７')) ?? [])].map(({ value }) => value.number)).toEqual([2]);
  });
});

describe('a value whose length is another in another case', () => {
  test.each([
    ['Hauptstraße9', 'HAUPTSTRASSE9'],
    ['Hauptstraße9', 'hauptstrasse9'],
    ['HAUPTSTRASSE9', 'hauptstraße9'],
    ['weißGASSE7ß', 'WeissGaßE7ẞ'],
    ['passssße1', 'PASSSSSSE1'],
    ['İstanbul99', 'i̇stanbul99'],
    ['İstanbul99', 'istanbul99'],
    ['istanbul99', 'İSTANBUL99'],
    ['ısırgan99', 'ISIRGAN99'],
    ['ISIRGAN99', 'ısırgan99'],
    ['ﬁnanz2024', 'FINANZ2024'],
    ['ŉword2024', 'ʼNWORD2024'],
  ])('is found: %s as %s', (value, written) => {
    expect(without(`got ${written}.`, [value])).toBe('got #.');
    expect(without(`got ${written}s.`, [value])).toBe('got #s.');
  });

  test.each([
    ['straße99', 'strase99'],
    ['pass1234', 'passs1234'],
    ['passs1234', 'pass1234'],
  ])('is no other one: %s and %s', (value, written) => {
    expect(without(`got ${written}.`, [value])).toBe(`got ${written}.`);
  });
});

describe('values over each other', () => {
  test.each([
    ['abcd1234efgh9', ['abcd1234', '1234efgh9'], '#'],
    ['say abcd1234efgh9xyz77 now', ['abcd1234', '1234efgh9', 'h9xyz77'], 'say # now'],
    ['x abab12abab12abab y', ['abab12abab'], 'x # y'],
    ['xx 𝒜b𝒜b𝒜 yy', ['𝒜b𝒜'], 'xx # yy'],
    ['secret99word', ['secret99word', 'ret99'], '#'],
  ])('leave nothing of either: %s', (text, values, expected) => {
    expect(without(text, values)).toBe(expected);
  });

  test('leave nothing of either, wherever they meet', () => {
    const value = fc.string({ unit: fc.constantFrom('a', 'b', '1'), minLength: 3, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), fc.nat(5), (values, cut) => {
        const text = `- ${values.reduce((all, one) => all.slice(0, all.length - Math.min(cut, one.length - 1)) + one, '')} -`;
        const stays = Array.from(text, (_, at) =>
          values.every((one) => {
            for (let start = Math.max(0, at - one.length + 1); start <= at; start++)
              if (text.startsWith(one, start)) return false;
            return true;
          }),
        );
        const expected = Array.from(text, (char, at) => (stays[at] ? char : '#')).join('');
        expect(without(text, values).replace(/#+/g, '#')).toBe(expected.replace(/#+/g, '#'));
      }),
    );
  });
});
