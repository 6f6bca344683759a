import { describe, expect, test } from 'vitest';
import { isLinear } from '../sample-redaction.ts';
import { privateKeys } from './private-key.ts';

const line = 'MIIEpAIBAAKCAQEA3Tz2mr7SZiAMfQyuvBjM9Oi'.padEnd(64, 'x7Q');
const body = Array.from({ length: 6 }, () => line);
const pem = (label: string): string =>
  [`-----BEGIN ${label}-----`, ...body, `-----END ${label}-----`].join('\n');
const left = (text: string): string =>
  privateKeys(text).reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);

describe('private keys', () => {
  test.each([
    ...['PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY', 'DSA PRIVATE KEY'],
    ...['OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK', 'ANY PRIVATE KEY'],
  ])('%s', (label) => {
    expect(left(`my key:\n${pem(label)}\nis that right?`)).toBe('my key:\n\nis that right?');
  });

  const whole = pem('RSA PRIVATE KEY');

  test.each([
    ['newlines escaped', JSON.stringify({ key: whole })],
    ['in one line', whole.replaceAll('\n', ' ')],
    ['without any space', whole.replaceAll('\n', '')],
    ['of Windows', whole.replaceAll('\n', '\r\n')],
    ['indented', whole.replace(/^/gm, '    ')],
    ['quoted', whole.replace(/^/gm, '> ')],
    ['concatenated', whole.replace(/^(.*)$/gm, '"$1\\n" +')],
    ['in narrow lines', whole.replaceAll(line, line.replace(/(.{20})/g, '$1\n'))],
    ['cut off behind', whole.slice(0, 200)],
    ['cut off in front', whole.slice(100)],
    ['as form data', whole.replaceAll(' ', '+').replaceAll('\n', '%0A')],
  ])('%s', (_name, text) => {
    expect(left(text)).not.toContain(line.slice(20, 40));
  });

  test('SSH2 and PuTTY', () => {
    expect(
      left(
        `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${body.join('\n')}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
      ),
    ).toBe('');
    const putty = `Private-Lines: 6\n${body.join('\n')}\nPrivate-MAC: ${'0a'.repeat(32)}`;
    expect(left(`PuTTY-User-Key-File-3: ssh-rsa\n${putty}\n`)).toBe('PuTTY-User-Key-File-3: ssh-rsa\n\n');
  });

  test.each([
    "if (text.includes('-----BEGIN PRIVATE KEY-----')) return parse(text);",
    "pem.replace('-----BEGIN PRIVATE KEY-----', '').replace('-----END PRIVATE KEY-----', '')",
    '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
    `-----BEGIN CERTIFICATE-----\n${line}\n-----END CERTIFICATE-----`,
    `-----BEGIN PUBLIC KEY-----\n${line}\n-----END PUBLIC KEY-----`,
  ])('%s holds none', (text) => {
    expect(privateKeys(text)).toEqual([]);
  });

  test.each([
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    `${line}\n-----END PRIVATE KEY-----\n`,
    'Private-Lines: 1\n',
  ])('takes linear time on %j repeated', (unit) => {
    expect(isLinear(privateKeys, unit)).toBe(true);
  });
});
