import { describe, expect, test } from 'vitest';
import { isLinear, textsFound } from '../sample-redaction.ts';
import { ibans } from './iban.ts';

/** Examples that the IBAN registry publishes; none belongs to anybody. */
const examples = [
  'DE89370400440532013000',
  'GB29NWBK60161331926819',
  'FR1420041010050500013M02606',
  'ES9121000418450200051332',
  'IT60X0542811101000000123456',
  'NL91ABNA0417164300',
  'NO9386011117947',
  'MT84MALT011000012345MTLCAST001S',
  'BR1800360305000010009795493C1',
];

describe('international bank account numbers', () => {
  test.each(examples)('%s, in one piece, in groups and in lower case', (number) => {
    const inGroups = (number.match(/.{1,4}/g) ?? []).join(' ');
    for (const written of [number, inGroups, inGroups.replaceAll(' ', '-'), number.toLowerCase()]) {
      expect(textsFound(ibans, `Send it to ${written}, please.`)).toEqual([written]);
    }
  });

  test.each([
    '账户DE89370400440532013000请',
    '(DE89 3704 0044 0532 0130 00)',
    'IBAN:DE89370400440532013000.',
  ])('out of %s', (text) => {
    expect(textsFound(ibans, text)).toHaveLength(1);
  });

  test.each([
    ['wrong check digits', 'DE88370400440532013000'],
    ['a wrong length', 'DE8937040044053201300'],
    ['a wrong structure', 'DE89370400440532O13000'],
    ['no country', 'ZZ89370400440532013000'],
    ['part of a longer word', 'xDE89370400440532013000'],
    ['going on', 'DE893704004405320130001'],
  ])('%s is none', (_what, text) => {
    expect(textsFound(ibans, text)).toEqual([]);
  });

  test('under a key that names one, the check digits do not matter', () => {
    expect(textsFound(ibans, 'DE88 3704 0044 0532 0130 00', 'customerIban')).toEqual([
      'DE88 3704 0044 0532 0130 00',
    ]);
  });

  test('spellings of one number are one value', () => {
    const scope = { key: undefined, isNumber: false, asked: false, isBirthDate: undefined };
    const values = ['de89 3704 0044 0532 0130 00', 'DE89-3704-0044-0532-0130-00'].map(
      (text) => ibans.find(text, scope)[0]?.values,
    );
    expect(values).toEqual([['DE89370400440532013000'], ['DE89370400440532013000']]);
  });

  test.each(['DE89', 'DE89 3704 ', 'MD24', 'DE89370400440532013000 ', 'de12 '])(
    'takes linear time on %j repeated',
    (unit) => {
      expect(isLinear((text) => textsFound(ibans, text), unit)).toBe(true);
    },
  );
});
