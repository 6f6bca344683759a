import { describe, expect, test } from 'vitest';
import { isLinear, sampleRedaction, textsFound } from '../sample-redaction.ts';
import { asksForBirthDate, birthDates } from './birth-date.ts';
import { COVERED } from './finding.ts';

const detector = birthDates('month-first');

describe('dates of birth in prose', () => {
  test.each([
    ['born on April 5, 1990', 'April 5, 1990'],
    ['DOB: 1990-04-05', '1990-04-05'],
    ['D.O.B. 5/4/90', '5/4/90'],
    ['my date of birth is 04/05/1990', '04/05/1990'],
    ['**Date of Birth:** 5 April 1990', '5 April 1990'],
    ['Date of Birth - 1990-04-05', '1990-04-05'],
    ["Kevin's birthday is April 5", 'April 5'],
    ['with a date of birth of April 12, 2001', 'April 12, 2001'],
    ['date of birth for Kevin Smith: 2001-04-12', '2001-04-12'],
    ['I was born in Boston on the 5th of April, 1990', '5th of April, 1990'],
    ['1990-04-05 is my date of birth', '1990-04-05'],
    ['Emily Smith, 1990-04-05 (DOB)', '1990-04-05'],
    ['On April 5, 1990 I was born', 'April 5, 1990'],
    ['geboren am 5. April 1990', '5. April 1990'],
    ['née le 5 avril 1990', '5 avril 1990'],
    ['fecha de nacimiento: 5 de abril de 1990', '5 de abril de 1990'],
    ['geb. 5.4.1990', '5.4.1990'],
    ['ngày sinh: 05/04/1990', '05/04/1990'],
    ['syntynyt 5. huhtikuuta 1990', '5. huhtikuuta 1990'],
    ['syntymäaika: 5.4.1990', '5.4.1990'],
    ['született: 1990. április 5.', '1990. április 5.'],
    ['születési dátum: 1990.04.05', '1990.04.05'],
    ['γεννήθηκε στις 5/4/1990', '5/4/1990'],
    ['ημερομηνία γέννησης: 5 Απριλίου 1990', '5 Απριλίου 1990'],
    ['data nașterii: 5 aprilie 1990', '5 aprilie 1990'],
    ['дата народження: 5 квітня 1990', '5 квітня 1990'],
    ['tanggal lahir: 5 April 1990', '5 April 1990'],
    ['생년월일 1990년 4월 5일', '1990년 4월 5일'],
    ['geb. am 5. April 1990', '5. April 1990'],
    ['fecha de nacimiento es 5 de abril de 1990', '5 de abril de 1990'],
    ['nació el 5/4/1990', '5/4/1990'],
    ['Birth: April 5, 1990', 'April 5, 1990'],
    ['Anna Smith (b. 5 April 1990)', '5 April 1990'],
    ['Anna Smith, * 05.04.1990', '05.04.1990'],
    ['ur. 5 kwietnia 1990', '5 kwietnia 1990'],
    ['urodzona dnia 5 października 1990', '5 października 1990'],
    ['data urodzenia: 1990-04-05', '1990-04-05'],
    ['дата рождения: 5 апреля 1990', '5 апреля 1990'],
    ['出生日期是1990年4月5日', '1990年4月5日'],
    ['我的dob: 1990-04-05请', '1990-04-05'],
    ["{'dob': '1990-04-05'}", '1990-04-05'],
    ['<dateOfBirth>1990-04-05</dateOfBirth>', '1990-04-05'],
    ['dob=19900405', '19900405'],
    ['birth_date: 99/99/1990', '99/99/1990'],
    ['born on 17TH OF MARCH 1972', '17TH OF MARCH 1972'],
    ['DOB: 17TH MARCH 1972', '17TH MARCH 1972'],
    ['BORN ON MARCH 17TH, 1972', 'MARCH 17TH, 1972'],
    ['DOB: 1ST MAY 1972', '1ST MAY 1972'],
    ['DOB: JUNE 2ND 1972', 'JUNE 2ND 1972'],
    ['DOB: 3RD Of June 1972', '3RD Of June 1972'],
    ['NACIDA EL 5 DE ABRIL DE 1990', '5 DE ABRIL DE 1990'],
  ])('%s', (text, date) => {
    expect(textsFound(detector, text)).toEqual([date]);
  });

  test('all of a list', () => {
    const dates = ['1988-04-10', '1990-11-22', '15 July 1995'];
    expect(
      textsFound(
        detector,
        `dates of birth: Emily ${dates[0]}, John ${dates[1]} and Sarah ${dates[2]}. We fly on 2024-05-20.`,
      ),
    ).toEqual(dates);
  });

  test('all of a column', () => {
    const csv =
      'name,dob,city,joined\nAnna,1988-04-10,Berlin,2024-05-20\n"Smith, John",1990-11-22,Rome,2024-05-21\n';
    expect(textsFound(detector, csv)).toEqual(['1988-04-10', '1990-11-22']);
    expect(textsFound(detector, csv.replaceAll(',', ';'))).toEqual(['1988-04-10', '1990-11-22']);
    expect(textsFound(detector, 'DOB\tName\n1988-04-10\tAnna\n')).toEqual(['1988-04-10']);
    expect(
      textsFound(detector, '| Name | DOB | Seen |\n|---|---|---|\n| Anna | 1988-04-10 | 2024-05-20 |\n'),
    ).toEqual(['1988-04-10']);
  });

  test('all of a table', () => {
    const table =
      '| Name | DOB |\n|---|---|\n| Emily Smith | 1988-04-10 |\n| John Smith | 1990-11-22 |\n\nFlight: 2024-05-20';
    expect(textsFound(detector, table)).toEqual(['1988-04-10', '1990-11-22']);
  });

  test.each([
    'What is your date of birth? The flight is on 2024-05-20.',
    'My date of birth is not needed. I fly on 2024-05-20.',
    'Date of birth required. Departure: 2024-05-20',
    '- DOB\n- Departure 2024-05-20',
    'Departure 2024-05-20, date of birth unknown',
    'The airborne flight of 2024-05-20',
    '* 2024-05-20 first release',
    'plan b. 2024-05-20',
    'on *2024-05-20* we fly',
    'a stubborn case since 2024-05-20',
    'adobe released it on 2024-05-20',
    'I booked it on May 15, 2024.',
    `DOB${' -'.repeat(50)} 2024-05-20`,
  ])('%s holds none', (text) => {
    expect(textsFound(detector, text)).toEqual([]);
  });

  test.each([
    'dob ',
    'dob: 1',
    'dob 1990-04-05 ',
    'born on April 5 ',
    'dates of birth: A 1990-01-01, ',
    'd.o.b.',
    'birth\n- ',
    'a,dob,b\n',
    'geb. ',
    'x (b. ',
  ])('takes linear time on %j repeated', (unit) => {
    expect(isLinear((text) => textsFound(detector, text), unit)).toBe(true);
  });
});

describe('dates of birth by key', () => {
  test.each([
    'dob',
    'DOB',
    'dateOfBirth',
    'date_of_birth',
    'passenger-birth-date',
    'birthday',
    'dob1',
    'dobIso',
    'geburtsdatum',
  ])('%s', (key) => {
    expect(textsFound(detector, '1990-04-05T00:00:00Z', key)).toEqual(['1990-04-05T00:00:00Z']);
  });

  test.each(['adobe', 'date', 'departure_date', 'place_of_birth', 'birth_weight'])('not %s', (key) => {
    expect(textsFound(detector, '1990-04-05', key)).toEqual([]);
  });

  test('whatever holds a digit, and nothing else', () => {
    expect(textsFound(detector, 'spring 1990', 'dob')).toEqual(['spring 1990']);
    expect(textsFound(detector, 'unknown', 'dob')).toEqual([]);
  });

  test('however deep it is nested, also as parts, numbers and lists', () => {
    const { value } = sampleRedaction();
    const given = {
      people: [
        { dob: { value: '1990-04-05' } },
        { dob: { year: 1990, month: 4, day: 5 } },
        { birthdays: ['1990-04-05'] },
        { dob: 19900405 },
      ],
    };
    expect(JSON.stringify(value(given))).not.toMatch(/1990|[^_\d]4[^\d]/);
  });
});

describe('a date of birth that is known in the thread', () => {
  test.each([
    'April 5, 1990',
    '5 April 1990',
    '04/05/1990',
    '5.4.1990',
    '1990-04-05',
    '19900405',
    '4/5/90',
    'Apr 5th, 1990',
  ])('is found as %s', (written) => {
    const { text } = sampleRedaction();
    expect(text('DOB: 1990-04-05')).toBe('DOB: [DATE_OF_BIRTH_1]');
    expect(text(`So it is ${written}, right?`)).toBe('So it is [DATE_OF_BIRTH_1], right?');
  });

  test('other dates stay, also the same day of other years', () => {
    const { text } = sampleRedaction();
    text('DOB: 1990-04-05');
    expect(text('Flights on 2024-04-05, April 5 and 1990-04-06.')).toBe(
      'Flights on 2024-04-05, April 5 and 1990-04-06.',
    );
  });

  test('a date that may be read two ways is found again in both, under one number', () => {
    const { text } = sampleRedaction();
    expect(text('DOB: 04/05/1990')).toBe('DOB: [DATE_OF_BIRTH_1]');
    expect(text('April 5, 1990 or May 4, 1990')).toBe('[DATE_OF_BIRTH_1] or [DATE_OF_BIRTH_1]');
  });

  test('also stands earlier in the same text', () => {
    const { text } = sampleRedaction();
    expect(text('Kevin (April 12, 2001). His date of birth is 2001-04-12.')).toBe(
      'Kevin ([DATE_OF_BIRTH_1]). His date of birth is [DATE_OF_BIRTH_1].',
    );
  });
});

describe('questions for a date of birth', () => {
  test('are recognised', () => {
    expect(asksForBirthDate('Please give me the name and date of birth of each passenger.')).toBe(true);
    expect(asksForBirthDate(`Your date of birth is ${COVERED.repeat(17)}.`)).toBe(false);
    expect(asksForBirthDate('Where do you want to fly?')).toBe(false);
  });

  test('a bare answer is found when it was asked for, a date of travel in it is not', () => {
    const scope = { key: undefined, isNumber: false, asked: true, isBirthDate: undefined };
    const answers = (text: string): string[] =>
      detector.find(text, scope).map(({ start, end }) => text.slice(start, end));
    expect(answers("Sure, it's 04/05/1990.")).toEqual(['04/05/1990']);
    const year = new Date().getUTCFullYear();
    const answer = `Kevin Smith, April 12, 1990, and we would like to leave on ${year}-05-20 in the morning`;
    expect(answers(answer)).toEqual(['April 12, 1990']);
  });
});
