import type { StreamText } from '@spec/hooks';
import { pickShare } from '@spec/test-helpers';
import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';
import { checkedOptions, type RedactOptions } from './options.ts';
import { sampleRedaction } from './sample-redaction.ts';

const streaming = (options: RedactOptions = {}): { holdBack: number; stream: StreamText } => {
  const { streaming } = checkedOptions(options);
  if (streaming === undefined) throw new Error('it does not stream');
  return streaming;
};

function countEqual(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** How far a text may leave, of which no more has come. */
function settled(text: string, { holdBack, stream }: ReturnType<typeof streaming>): number {
  return Math.min(countEqual(text, stream(text)), text.length - holdBack);
}

/** The offsets at which what has left by then is no beginning of what is stored. */
function leaks(text: string, options: RedactOptions = {}): number[] {
  const how = streaming(options);
  const stays = countEqual(text, sampleRedaction(options).value({ content: text }).content);
  return Array.from({ length: text.length + 1 }, (_, cut) => cut).filter(
    (cut) => settled(text.slice(0, cut), how) > stays,
  );
}

const before =
  'Thank you for waiting. I have looked into it, and this is what the records of our office say about you. ';
const behind =
  ' That is all there is for now. Please tell me whether it is right, and I will go on with the rest of your request at once, as we said. Have a good day, and thank you for your patience.';

const key = Array.from(
  { length: 12 },
  (_, line) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA${line}`,
).join('\n');
const filler = 'word after word, '.repeat(30);

const values: Record<string, string> = {
  'a card': 'The card 4111 1111 1111 1111 is on file.',
  'a card in zero-width signs': `The card ${Array.from('4111111111111111').join('\u200b'.repeat(20))} is on file.`,
  'an address': 'Write to anna.smith@example.com about it.',
  'an address in quotes': 'Write to "anna m. smith"@example.com about it.',
  'an escaped address': `Write to ${Array.from('anna@example.com', (char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('')} about it.`,
  'a telephone number': 'Call +49 30 901820 or (415) 555-2671 ext. 123456 about it.',
  'an account': 'The account is DE89 3704 0044 0532 0130 00 in Berlin.',
  'a national id': 'The SSN is 078-05-1120 as you said.',
  'a date of birth': 'You were born on April 5, 1990 in Bern.',
  'a date that is called one far below': `On 1990-04-05 it began. ${filler}Your date of birth is April 5, 1990.`,
  'a date that is called one at once': 'You said 1990-04-05 is your date of birth.',
  'dates in a list': `Dates of birth: 1990-04-05, 1991-05-06, 1992-06-07, ${'1993-07-08, '.repeat(30)}1994-08-09`,
  'dates in a column': `name,dob\n${'Anna,1990-04-05\n'.repeat(40)}`,
  'a date without a year': 'April 5 is my birthday.',
  'a password': 'The password is hunter2! from now on.',
  'a password in quotes': `The password is: "${'correct horse battery 9 '.repeat(8)}" from now on.`,
  'a pin': 'The new pin for the account is "12 34x56" from now on.',
  'a password said behind it': 'Please use "hunter2 and 9 more" as the new password for it.',
  'an assigned phrase': `pass = "${'several words, 7 of them '.repeat(20)}" and no more`,
  'a token': 'The key AKIAIOSFODNN7EXAMPLE and ghp_1234567890abcdefghijklmnopqrstuvwxyz12 are his.',
  'a web token': `The token eyJhbGciOiJIUzI1NiJ9.${'eyJzdWIiOiIxMjM0'.repeat(30)}.${'abcdefgh'.repeat(8)} is his.`,
  'a private key': `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`,
  'a key whose beginning is cut off': `\n${key}\n-----END PRIVATE KEY-----\n`,
  'a connection string': 'It is postgres://anna:s3cret-w0rd@db.example.com:5432/app for now.',
  'a table of passwords': `| name | password |\n|---|---|\n${'| anna | s3cret-w0rd |\n'.repeat(20)}`,
  'a column of keys': `user;pw\n${'anna;s3cret-w0rd!\n'.repeat(20)}`,
  'a manifest': `data:\n  first: aGVsbG8gd29ybGQ=\n  second: ${'YW5uYQ'.repeat(20)}\nkind: Secret\n`,
  'a command': `curl ${'-H "X: y" '.repeat(12)} -u "anna:${'long word, '.repeat(20)}9" https://example.com`,
  'a piped password': 'Run echo "several words 99 in quotes" | docker login --password-stdin now.',
  'an element': `<db_pass kind="x">${'several words and 9 '.repeat(20)}</db_pass>`,
  'an insert': `insert into users (name, pass) values ('${'anna '.repeat(40)}', 's3cret w0rd');`,
  'a value in code': `setToken(\n  "${'s3cret-w0rd-'.repeat(20)}")`,
};

describe('what leaves is the beginning of what is stored, wherever the text is cut', () => {
  test.each(pickShare(Object.entries(values), 6))('%s', (_, value) => {
    for (const text of [before + value + behind, value + behind, `${before + before}\n${value}\n${behind}`])
      expect(leaks(text)).toEqual([]);
  });

  test.each([
    '{"dob":"1990-04-05"}',
    '["a", {"password": "hunter2"}]',
    '"My card is 4111 1111 1111 1111, caf\\u00e9"',
  ])('JSON: %s', (text) => {
    expect(leaks(text)).toEqual([]);
    expect(settled(text.slice(0, -1).padEnd(400), streaming())).toBe(0);
  });

  test('with a pattern of one’s own that says how far it reaches', () => {
    const options = {
      custom: [{ name: 'order', pattern: /order (?:no )?\d{3} for [a-z ]{1,200};/g, holdBack: 240 }],
    };
    expect(streaming(options).holdBack).toBe(240);
    expect(
      leaks(`${before}order no 123 for ${'somebody else '.repeat(14)};${behind}${behind}`, options),
    ).toEqual([]);
  });
});

describe('most of a text leaves', () => {
  test('that holds no value', () => {
    const text =
      `${before}The flight HAT136 costs $120 and leaves at 08:15, gate 4. It's 2 hours.${behind}`.repeat(3);
    expect(settled(text, streaming())).toBeGreaterThan(text.length - 180);
  });

  test('up to its first value', () => {
    const text = `${before.repeat(3)}It is anna@example.com.${behind}`;
    expect(settled(text, streaming())).toBe(text.indexOf('anna@'));
  });

  test('that holds placeholders', () => {
    const text =
      `${before}The password is unknown to me. `.replace('password is', 'card is') +
      `[SECRET_1] and [DATE_OF_BIRTH_2].${behind}`;
    expect(settled(text, streaming())).toBeGreaterThan(text.indexOf('[DATE'));
  });
});

describe('a text is held back whole', () => {
  test.each([
    ['where values are put back', { restore: 'tools' } as const],
    ['where nobody says how far a pattern reaches', { custom: [{ name: 'order', pattern: /\d+/ }] }],
  ])('%s', (_, options: RedactOptions) => {
    expect(redact(options)[0].stream).toBeUndefined();
    expect(redact()[0]).toMatchObject({ holdBack: 128 });
  });

  test('but not by a reach that is none', () => {
    const custom = [{ name: 'order', pattern: /\d+/, holdBack: 0 }];
    expect(() => redact({ custom })).toThrow(
      'holdBack of the custom pattern "order" must be a whole number of at least 1.',
    );
  });
});
