import { describe, expect, test } from 'vitest';
import { isLinear, sampleRedaction, textsFound } from '../sample-redaction.ts';
import { nationalIds } from './national-id.ts';

describe('national ids that need no label', () => {
  test.each([
    'Artikelnr. 86095742719',
    'Bestellung 44051401359',
    'order_id=44051401359',
    'offset 44051401359',
  ])('%s is none', (text) => {
    expect(textsFound(nationalIds, text)).toEqual([]);
  });

  test.each([
    ['US social security number', '536-22-8726'],
    ['US taxpayer number', '912-70-1234'],
    ['IN Aadhaar', '2341 2341 2346'],
    ['IN PAN', 'ACUPA7085R'],
    ['CN resident id', '11010519491231002X'],
    ['BR CPF', '390.533.447-05'],
    ['BR CPF', '39053344705'],
    ['BR CNPJ', '16.727.230/0001-97'],
    ['BR CNPJ with letters', '12.ABC.345/01DE-35'],
    ['GB national insurance number', 'HH 01 23 45 D'],
    ['GB NHS number', '943 476 5870'],
    ['DE tax id', '36 574 261 809'],
    ['DE tax id', '36574261809'],
    ['DE pension number', '15070649C103'],
    ['FR social security number', '2 95 10 99 126 111 93'],
    ['ES DNI', '54362315K'],
    ['ES NIE', 'X-5253868-R'],
    ['IT codice fiscale', 'RCCMNL83S18D969H'],
    ['PL PESEL', '44051401359'],
  ])('%s: %s', (_name, id) => {
    expect(textsFound(nationalIds, `It is ${id}, thanks.`)).toEqual([id]);
    expect(textsFound(nationalIds, `是${id}。`)).toEqual([id]);
  });

  test.each([
    'NI number QQ 12 34 56 C',
    'NINO: QQ123456C',
    'SSN 000-12-3456',
    'social security number: 666-12-3456',
  ])('a label is enough, whatever the issuer gives out: %s', (text) => {
    expect(textsFound(nationalIds, text)).toHaveLength(1);
    expect(textsFound(nationalIds, text.replace(/^[^\d:]*?(?=QQ|\d)|^.*: /, 'It is '))).toEqual([]);
  });

  test.each([
    ['a wrong check digit', '390.533.447-06'],
    ['a wrong check digit', '11010519491231002Y'],
    ['nine digits alone', '536228726'],
    ['ten digits alone', '9434765870'],
    ['twelve digits alone', '234123412346'],
    ['an area that is not given', '666-22-8726'],
    ['years of a table', '2019 2020 2021'],
    ['a table of fours', '2341 2341 2346 2341'],
    ['a moment', '20251122180834'],
    ['a moment', '19920715-153000'],
    ['part of a word', 'x39053344705'],
    ['part of a version', '1.390.533.447-05'],
    ['an order', 'order 39053344705'],
    ['a date and a letter', '20251122Z'],
  ])('%s is none: %s', (_what, text) => {
    expect(textsFound(nationalIds, text)).toEqual([]);
  });
});

test.each(['2341 2341 2346 is it', 'No. 1 2341 2341 2346', '2341 2341 2346 2 times'])(
  'a group beside other digits: %s',
  (text) => {
    expect(textsFound(nationalIds, text)).toEqual(['2341 2341 2346']);
  },
);

describe('national ids with a label', () => {
  test.each([
    ['SSN: 536228726', '536228726'],
    ['my social security number is 536 22 8726', '536 22 8726'],
    ['Aadhaar no. 234123412345', '234123412345'],
    ['nhs_number=9434765871', '9434765871'],
    ['cpf 123.456.789-00', '123.456.789-00'],
    ['身份证号：110105194912310021', '110105194912310021'],
    ['NI number qq123456c', 'qq123456c'],
    ['National Insurance: ab123456c', 'ab123456c'],
  ])('%s', (text, id) => {
    expect(textsFound(nationalIds, text)).toEqual(id === undefined ? [] : [id]);
  });

  test.each(['NHS number: 943 476 5870', 'NHS 943-476-5870', 'nhs_number=943 476 5870', 'nhs: 9434765870'])(
    'are called so, also where they look like a telephone number: %s',
    (text) => {
      expect(sampleRedaction().value(text)).toMatch(/\[NATIONAL_ID_1\]$/);
      expect(sampleRedaction().value({ nhs_number: '943 476 5870' })).toEqual({
        nhs_number: '[NATIONAL_ID_1]',
      });
    },
  );

  test('or under a key that names them', () => {
    expect(textsFound(nationalIds, '536228726', 'ssn')).toEqual(['536228726']);
    expect(textsFound(nationalIds, '536228726', 'applicantSocialSecurityNumber')).toEqual(['536228726']);
    expect(textsFound(nationalIds, '39053344705', 'order_id')).toEqual([]);
  });
});

test('spellings of one id are one value', () => {
  const scope = { key: undefined, isNumber: false, asked: false, isBirthDate: undefined };
  const values = ['390.533.447-05', '39053344705'].map((text) => nationalIds.find(text, scope)[0]?.values);
  expect(values).toEqual([['39053344705'], ['39053344705']]);
});

test.each(['1', '12 ', '123-45-6789 ', '2341 ', 'ABCDE', 'AB 12 ', '1-', 'ssn ', 'X1', '3.3.3-'])(
  'national ids take linear time on %j repeated',
  (unit) => {
    expect(isLinear((text) => textsFound(nationalIds, text), unit)).toBe(true);
  },
);
