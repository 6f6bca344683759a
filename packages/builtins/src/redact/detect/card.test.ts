import { describe, expect, test } from 'vitest';
import { isLinear, textsFound } from '../sample-redaction.ts';
import { cards, isCardNumber, passesLuhn } from './card.ts';

/** Published test numbers of the networks; none belongs to anybody. */
const numbers = {
  visa: '4111111111111111',
  visa13: '4222222222222',
  mastercard: '5555555555554444',
  mastercard2: '2223003122003222',
  amex: '378282246310005',
  discover: '6011111111111117',
  diners: '30569309025904',
  jcb: '3530111333300000',
  unionPay: '6200000000000005',
  maestro: '6759649826438453',
  elo: '5067230000009011',
  elo2: '5090000000000018',
};

describe('card numbers', () => {
  test('a number in base 16 is none', () => {
    expect(textsFound(cards, '0x4111111111111111')).toEqual([]);
    expect(textsFound(cards, '0x 4111111111111111')).toEqual(['4111111111111111']);
  });

  test.each(Object.entries(numbers))('%s is found in prose', (_network, number) => {
    expect(textsFound(cards, `Pay with ${number}, please.`)).toEqual([number]);
  });

  test.each([
    ['spaces', '4111 1111 1111 1111'],
    ['dashes', '4111-1111-1111-1111'],
    ['dots', '4111.1111.1111.1111'],
    ['slashes', '4111/1111/1111/1111'],
    ['underscores', '4111_1111_1111_1111'],
    ['two underscores', '4111__1111__1111__1111'],
    ['hard spaces', '4111\u00a01111\u00a01111\u00a01111'],
    ['hard hyphens', '4111\u20111111\u20111111\u20111111'],
    ['double spaces', '4111  1111  1111  1111'],
    ['a line break', '4111 1111\n1111 1111'],
    ['American Express groups', '3782 822463 10005'],
    ['one by one', '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'],
    ['in eights', '41111111 11111111'],
    ['four and twelve', '4111 111111111111'],
    ['six and ten', '411111-1111111111'],
    ['commas', '4111,1111,1111,1111'],
    ['colons', '4111:1111:1111:1111'],
    ['square brackets', '4111][1111][1111][1111'],
    ['four spaces', '4111    1111    1111    1111'],
  ])('with %s', (_separator, written) => {
    expect(textsFound(cards, `card ${written}!`)).toEqual([written]);
  });

  test('the number alone is taken from what stands behind it', () => {
    expect(textsFound(cards, '4111 1111 1111 1111 12/26 123')).toEqual(['4111 1111 1111 1111']);
    expect(textsFound(cards, 'Visa4111111111111111')).toEqual(['4111111111111111']);
    expect(textsFound(cards, '4111111111111111 5555555555554444')).toEqual([
      '4111111111111111',
      '5555555555554444',
    ]);
  });

  test.each([
    ['a wrong check digit', '4111111111111112'],
    ['no known network', '9999999999999995'],
    ['milliseconds since the epoch', '1715788800000'],
    ['a coordinate', '40.7127760123456'],
    ['the decimals of a fraction', '0.4111111111111111'],
    ['part of a longer number', '41111111111111111111'],
    ['part of a hash', 'a4111111111111111f'],
    ['a table of prices', '51 121 239 87 100 276 51 121 239 87 100 276'],
    ['a longer list with commas', '1,4111,1111,1111,1111'],
    ['a list of dates', '2024-05-20 2024-05-21 2024-05-22'],
    ['an internal id', 'credit_card_7815826'],
  ])('%s is none', (_what, text) => {
    expect(textsFound(cards, text)).toEqual([]);
  });

  test('under a key that names a card number, the check digit does not matter', () => {
    expect(textsFound(cards, '4111 1111 1111 1112', 'cardNumber')).toEqual(['4111 1111 1111 1112']);
    expect(textsFound(cards, '4111 1111 1111 1112', 'card_holder')).toEqual([]);
  });

  test('the value is the digits alone', () => {
    const scope = { key: undefined, isNumber: false, asked: false, isBirthDate: undefined };
    expect(cards.find('4111-1111-1111-1111', scope)[0]?.values).toEqual(['4111111111111111']);
  });

  test("Luhn's check and the networks' ranges", () => {
    expect(passesLuhn('79927398713')).toBe(true);
    expect(passesLuhn('79927398710')).toBe(false);
    expect(isCardNumber('4111111111111111')).toBe(true);
    expect(isCardNumber('411111111111111')).toBe(false);
  });

  test.each(['1', '1 ', '4111 ', '4111111111111111 ', '1-1.', '4 1'])(
    'takes linear time on %j repeated',
    (unit) => {
      expect(isLinear((text) => textsFound(cards, text), unit)).toBe(true);
    },
  );
});
