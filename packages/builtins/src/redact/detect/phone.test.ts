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
    'user_id=4155552671',
    '"user_id": 4155552671,',
    'userId: 4155552671',
    'x-request-id: 4155552671',
    'users/4155552671/orders',
    'GET /orders/4155552671',
    'pid 4155552671',
    'bytes 4155552671',
    'size: 4155552671',
    'content-length=4155552671',
    'offset 4155552671',
    'ts=4155552671',
    'Bestellung 4155552671',
    'Rechnungsnummer: 4155552671',
    'Artikelnr. 4155552671',
    'commande n° 4155552671',
    'pedido 4155552671',
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

  test.each([
    'contactNumber=4155552671',
    'I paid, call 4155552671',
    'She said 4155552671',
    'tel_no=4155552671',
    'user_phone=4155552671',
    'Kunde: 4155552671',
  ])('%s is one', (text) => {
    expect(textsFound(us, text)).toEqual(['4155552671']);
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

  test.each([
    ['(+49 30 12345678)', '+49 30 12345678'],
    ['[+44 7400 123456]', '+44 7400 123456'],
    ['(+1 415 555 2671)', '+1 415 555 2671'],
    ['(first (+33 6 12 34 56 78) second)', '+33 6 12 34 56 78'],
    ['[call](tel:+4930123456)', '+4930123456'],
    ['[+41 44 668 18 00](https://example.com)', '+41 44 668 18 00'],
    ['电话+8613123456789请回电', '+8613123456789'],
    ['番号415-555-2671をお願いします', '415-555-2671'],
    ['정보는+82 10 2000 0679입니다', '+82 10 2000 0679'],
    ['ข้อมูล+1.212.555.3128ครับ', '+1.212.555.3128'],
    ['هذا+49 30 12345678فقط', '+49 30 12345678'],
    ['+46 (70) 123 45 05', '+46 (70) 123 45 05'],
    ['+46 (0)70 123 45 05', '+46 (0)70 123 45 05'],
    ['0049 30 12345678', '0049 30 12345678'],
    ['011 44 20 7946 0958', '011 44 20 7946 0958'],
  ])('out of %s', (text, number) => {
    expect(textsFound(us, text)).toEqual([number]);
  });

  test.each([
    ['Tel.: 030 123456', '030 123456'],
    ['mobile 0412 345 678', '0412 345 678'],
    ['phone: 555-1234', '555-1234'],
    ['电话：13123456789', '13123456789'],
  ])('behind a word that announces one, of any country: %s', (text, number) => {
    expect(textsFound(us, text)).toEqual([number]);
  });

  const countries = ['DE', 'AT', 'IT', 'SE', 'NL', 'PL', 'US', 'FR', 'ES', 'GB'] as const;

  test.each(countries)('dates, times and addresses are none in %s', (country) => {
    const two = (number: number): string => String(number).padStart(2, '0');
    const detector = phones(country);
    const found: string[] = [];
    for (let count = 0; count < 60; count++) {
      const [day, month, year] = [
        two(1 + ((count * 7) % 28)),
        two(1 + ((count * 5) % 12)),
        1990 + (count % 40),
      ];
      const [date, later] = [`${day}.${month}.${year}`, `28.${month}.${year}`];
      const texts = [
        ...[
          `am ${date} um zehn`,
          `${date}-${later}`,
          `${date} – ${later}`,
          `${day}.${month}.-${later}`,
          `${day}.-${later}`,
        ],
        ...[
          `${date} ${day}:30`,
          `${date} ${day}.30`,
          `${date} ${later}`,
          `${day}/${month}/${year}-${day}/${month}/${year}`,
        ],
        ...[
          `${year}-${month}-${day} - ${year}-${month}-28`,
          `${year}-${month}-${day} ${day}:30`,
          `${day} ${month} ${year}`,
        ],
        ...[`${year}${month}${day}`, `${year}${month}${day}-${day}3000`, `${day}.${month}.${year % 100}`],
        `host ${Number(day) * 9}.${Number(month) * 20}.86.195`,
      ];
      found.push(
        ...texts.flatMap((text) => textsFound(detector, text).map((number) => `${text}: ${number}`)),
      );
    }
    expect(found).toEqual([]);
  });

  test.each([
    '2147483647',
    'R-51971-34154',
    '1.2.4 / 2015-02-14',
    '0.4155552671',
    'f81d4fae-7dec-11d0-415-5552671',
  ])('%s is none either', (text) => {
    expect(textsFound(us, text)).toEqual([]);
  });

  test('spellings of one number are one value', () => {
    const scope = { key: undefined, isNumber: false, asked: false, isBirthDate: undefined };
    const values = ['(415) 555-2671', '+1 415 555 2671', '4155552671'].map(
      (text) => us.find(text, scope)[0]?.values,
    );
    expect(values).toEqual([['+14155552671'], ['+14155552671'], ['+14155552671']]);
  });

  test.each([
    '1 ',
    '12 ',
    '555-1234 x',
    '12345,67890\n',
    '+49 30 1',
    '415 555 ',
    '1.',
    '(1',
    '((((',
    '+1',
    '4155552671 ',
    '1990-04-05 ',
    '+1 41 ',
  ])('takes linear time on %j repeated', (unit) => {
    expect(isLinear((text) => textsFound(us, text), unit)).toBe(true);
  });
});
