import { describe, expect, test } from 'vitest';
import { isLinear, textsFound } from '../sample-redaction.ts';
import { phones } from './phone.ts';

const us = phones('US');

describe('telephone numbers', () => {
  test.each([
    '+1 (415) 555-2671',
    '(415) 555-2671',
    '415-555-2671',
    '415.555.2671',
    '415 555 2671',
    '1-415-555-2671',
    '4155552671',
    '+44 20 7946 0958',
    '+4930901820',
    '415-555-2671 ext. 12',
  ])('%s, for the United States', (number) => {
    expect(textsFound(us, `Call ${number}, please.`)).toEqual([number]);
  });

  test.each([
    ['DE', '030 901820'],
    ['DE', '0151 23456789'],
    ['DE', '0049 151 23456789'],
    ['GB', '020 7946 0958'],
    ['GB', '07911 123456'],
    ['FR', '06 12 34 56 78'],
    ['ES', '612 34 56 78'],
  ] as const)('national numbers of %s: %s', (country, number) => {
    expect(textsFound(phones(country), `Tel. ${number}.`)).toEqual([number]);
  });

  test.each([
    'order 4155552671',
    'Reservation ID: 4155552671',
    'confirmation number is 4155552671',
    '#4155552671',
    'gift_card_4155552671',
    'HAT4155552671',
    'HAT193',
    '2024-05-20 06:00:00',
    '05/20/2024 10:30',
    '2024-05-15T15:00:00',
    '$1,234,567.00',
    'prices 51 121 239 87 100 276',
    '1715788800',
    '1715788800000',
    '192.168.100.200',
    '4111 1111 1111 1111',
    'zip 78750-1234',
    '123-45-6789',
  ])('%s is none', (text) => {
    expect(textsFound(us, text)).toEqual([]);
  });

  test('amounts are none where numbers have no fixed length', () => {
    expect(textsFound(phones('DE'), 'Bestellung 7815826, 1.234.567,00 EUR, 12.345.678')).toEqual([]);
  });

  test('the key decides for digits alone', () => {
    expect(textsFound(us, '4155552671', 'order_id')).toEqual([]);
    expect(textsFound(us, '4155552671', 'note')).toEqual(['4155552671']);
    expect(textsFound(us, '5550123', 'phoneNumber')).toEqual(['5550123']);
  });

  test('every number of a long list', () => {
    const numbers = [
      '415-555-2671',
      '(212) 555-1234',
      '+44 20 7946 0958',
      '646-555-9876',
      '718-555-8888',
      '4155552672',
    ];
    expect(textsFound(us, numbers.join(' '))).toEqual(numbers);
    expect(textsFound(us, numbers.join('\n'))).toEqual(numbers);
  });

  test.each(['A( +14155552671 ', '(+14155552671', 'call (415-555-2671) now', '((415) 555-2671)'])(
    'brackets around one hide nothing: %s',
    (text) => {
      expect(textsFound(us, text)).toHaveLength(1);
    },
  );

  test('spellings of one number are one value', () => {
    const scope = { key: undefined, isNumber: false, asked: false, isBirthDate: undefined };
    const values = ['(415) 555-2671', '+1 415 555 2671', '4155552671'].map(
      (text) => us.find(text, scope)[0]?.values,
    );
    expect(values).toEqual([['+14155552671'], ['+14155552671'], ['+14155552671']]);
  });

  test.each(['1 ', '12 ', '1.', '(1', '((((', '+1', '4155552671 ', '1990-04-05 ', '+1 41 '])(
    'takes linear time on %j repeated',
    (unit) => {
      expect(isLinear((text) => textsFound(us, text), unit)).toBe(true);
    },
  );
});
