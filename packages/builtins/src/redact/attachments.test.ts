import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { redactFileData } from './attachments.ts';

const redact = (text: string): string => text.replaceAll('anna@example.com', '[EMAIL_1]');
const csv = 'name,email\nÄnne,anna@example.com\n';

describe('the data of files', () => {
  test('base64 text stays base64', () => {
    const data = Buffer.from(csv).toString('base64');
    expect(Buffer.from(redactFileData(data, 'text/csv', redact) as string, 'base64').toString()).toBe(
      redact(csv),
    );
  });

  test('bytes stay bytes', () => {
    const next = redactFileData(new Uint8Array(Buffer.from(csv)), 'application/json; charset=utf-8', redact);
    expect(next).toBeInstanceOf(Uint8Array);
    expect(Buffer.from(next as Uint8Array).toString()).toBe(redact(csv));
  });

  test.each(['latin1', 'utf16le'] as const)('%s stays %s', (encoding) => {
    const text = encoding === 'utf16le' ? `\ufeff${csv}` : csv;
    const next = redactFileData(new Uint8Array(Buffer.from(text, encoding)), 'text/csv', redact);
    expect(Buffer.from(next as Uint8Array).toString(encoding)).toBe(redact(text));
  });

  test('data without a finding, and data that are no text, are the same', () => {
    const clean = Buffer.from('nothing').toString('base64');
    expect(redactFileData(clean, 'text/plain', redact)).toBe(clean);
    const image = Buffer.from('anna@example.com');
    expect(redactFileData(image, 'image/png', redact)).toBe(image);
    expect(redactFileData('x', undefined, redact)).toBe('x');
  });
});
