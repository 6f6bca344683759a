import { describe, expect, test } from 'vitest';
import { isLinear } from '../sample-redaction.ts';
import { type DateOrder, datesIn } from './dates.ts';

const findDays = (text: string, order: DateOrder = 'month-first'): readonly (readonly string[])[] =>
  datesIn(text, order).map(({ days }) => days);

describe('dates in a text', () => {
  test.each([
    '1990-04-05',
    '1990/4/5',
    '1990.04.05',
    '1990年4月5日',
    '19900405',
    'April 5, 1990',
    'April 5th 1990',
    'Apr. 5, 1990',
    'april 5 1990',
    '5 April 1990',
    '5th of April, 1990',
    '05-Apr-1990',
    '5. April 1990',
    '5 avril 1990',
    '5 de abril de 1990',
    '5 aprile 1990',
    '1990 April 5',
    '1990-Apr-05',
    "April 5, '90",
  ])('%s is the fifth of April 1990', (written) => {
    expect(findDays(`on ${written} and`)[0]?.[0]).toBe('1990-04-05');
  });

  test('two numbers may be read either way, the likelier first', () => {
    expect(findDays('04/05/1990')).toEqual([['1990-04-05', '1990-05-04']]);
    expect(findDays('04/05/1990', 'day-first')).toEqual([['1990-05-04', '1990-04-05']]);
    expect(findDays('25.04.1990')).toEqual([['1990-04-25']]);
    expect(findDays('04051990')).toEqual([['1990-04-05', '1990-05-04']]);
  });

  test('two digits of a year are not in the future', () => {
    expect(findDays('4/5/90')).toEqual([['1990-04-05', '1990-05-04']]);
    expect(findDays('25/12/05')).toEqual([['2005-12-25', '1905-12-25']]);
  });

  test('a date without a year', () => {
    expect(findDays('born on April 5')).toEqual([['--04-05']]);
  });

  test('an impossible date has no day', () => {
    expect(findDays('1990-13-45')).toEqual([[]]);
  });

  test.each([
    'room 12',
    'flight HAT193 at 06:00:00',
    'Apartment 5, 1990',
    '12 apples 1990',
    '$1,981',
    '123456789',
    '1.2.3',
  ])('%s is none', (text) => {
    expect(findDays(text)).toEqual([]);
  });

  test.each(['April ', 'April 5 ', '5 April ', '1990-', '1/1/', '1 1 1 ', '19900405 ', 'may5'])(
    'takes linear time on %j repeated',
    (unit) => {
      expect(isLinear((text) => datesIn(text, 'month-first'), unit)).toBe(true);
    },
  );
});
