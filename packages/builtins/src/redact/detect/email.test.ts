import { describe, expect, test } from 'vitest';
import { isLinear, textsFound } from '../sample-redaction.ts';
import { emails } from './email.ts';

describe('e-mail addresses', () => {
  test.each([
    'anna@example.com',
    'anna.smith+news@mail.example.co.uk',
    "o'neil_99@example.museum",
    'ANNA@EXAMPLE.COM',
    'jürgen@müller.de',
    'пользователь@пример.рф',
    '用户@例子.中国',
    'x@xn--bcher-kva.example',
    'anna@[192.168.0.1]',
    '"anna smith"@example.com',
    'anna@localhost',
    'root@localhost.localdomain',
  ])('%s', (address) => {
    expect(textsFound(emails, `Write to ${address} today.`)).toEqual([address]);
  });

  test.each([
    ['<anna@example.com>,', 'anna@example.com'],
    ['mailto:anna@example.com?subject=hi', 'anna@example.com'],
    ['https://example.com/u?email=anna@example.com&x=1', 'anna@example.com'],
    ['(anna@example.com).', 'anna@example.com'],
    ['**anna@example.com**', 'anna@example.com'],
    ['name:anna@example.com;', 'anna@example.com'],
    ['anna@example.com.', 'anna@example.com'],
    ['メールanna@example.comです', 'anna@example.com'],
    ['资料anna@localhost请', 'anna@localhost'],
    ['លេខanna@xn--bcher-kva.xn--p1aiហើយ', 'anna@xn--bcher-kva.xn--p1ai'],
  ])('out of %s', (text, address) => {
    expect(textsFound(emails, text)).toEqual([address]);
  });

  test.each([
    'pnpm@12.21.0',
    'postgres://anna@localhost:5432/db',
    'anna@localhosts',
    '@anna',
    'a @ b.com',
    'icon@2x.png',
    'git@github.com:owner/repo.git',
    '@example.com',
    'user@',
  ])('%s is none', (text) => {
    expect(textsFound(emails, text)).toEqual([]);
  });

  test('upper and lower case are one value', () => {
    const scope = { key: undefined, isNumber: false, asked: false, isBirthDate: undefined };
    expect(emails.find('Anna@Example.COM', scope)[0]?.values).toEqual(['anna@example.com']);
  });

  test.each(['@', 'a@', 'a@b', 'a@b.', 'a.b@c.', '"@', 'a@b.c@d.e ', 'ü@'])(
    'takes linear time on %j repeated',
    (unit) => {
      expect(isLinear((text) => textsFound(emails, text), unit)).toBe(true);
    },
  );
});
