import { Buffer } from 'node:buffer';
import { RunError } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { redactFileData } from './attachments.ts';
import { atOnce } from './pieces.ts';
import { sampleRedaction } from './sample-redaction.ts';
import { redactMessage, redactResult } from './subjects.ts';
import { redactValue } from './value.ts';

const csv = 'name,email\nÄnne,anna@example.com\n';
const clean = 'name,email\nÄnne,[EMAIL_1]\n';

function redacted(data: unknown, mimeType: unknown): { data: unknown; mimeType: unknown } {
  const { redactor, memory, seen } = sampleRedaction();
  return atOnce(redactFileData({ data, mimeType }, (text) => redactValue(text, redactor, { memory, seen })));
}

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array =>
  new Uint8Array(Buffer.from(text, encoding));
const bigEndian = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le').swap16());
const utf32 = (text: string): Uint8Array =>
  new Uint8Array(Uint32Array.from(Array.from(text), (char) => char.codePointAt(0) as number).buffer);
const read = (data: unknown, encoding: BufferEncoding = 'utf8'): string =>
  Buffer.from(data as Uint8Array).toString(encoding);

describe('the data of files', () => {
  test('base64 text stays base64', () => {
    const { data } = redacted(Buffer.from(csv).toString('base64'), 'text/csv');
    expect(Buffer.from(data as string, 'base64').toString()).toBe(clean);
  });

  test('bytes stay bytes', () => {
    const { data } = redacted(bytes(csv), 'application/json; charset=utf-8');
    expect(data).toBeInstanceOf(Uint8Array);
    expect(read(data)).toBe(clean);
  });

  test.each(['latin1', 'utf16le'] as const)('%s stays %s, with and without a mark', (encoding) => {
    expect(read(redacted(bytes(csv, encoding), 'text/csv').data, encoding)).toBe(clean);
    const marked = encoding === 'utf16le' ? `\ufeff${csv}` : csv;
    expect(read(redacted(bytes(marked, encoding), 'text/csv').data, encoding)).toContain(clean);
  });

  test.each([csv, `\ufeff${csv}`])('UTF-16 with the higher byte first stays so', (text) => {
    const { data } = redacted(bigEndian(text), 'text/csv');
    expect(data).toEqual(bigEndian(text.replace('anna@example.com', '[EMAIL_1]')));
  });

  test.each([
    'application/octet-stream',
    'application/vnd.ms-excel',
    'application/typescript',
    'x-unknown/x-log',
    '',
    undefined,
  ])('what is text by its bytes is searched under any type: %s', (mimeType) => {
    expect(redacted(bytes(csv), mimeType)).toEqual({ data: bytes(clean), mimeType });
    expect(redacted(bytes(csv, 'latin1'), mimeType)).toEqual({ data: bytes(clean, 'latin1'), mimeType });
    const marked = bytes(`\ufeff${csv}`, 'utf16le');
    expect(read(redacted(marked, mimeType).data, 'utf16le')).toContain(clean);
  });

  test.each([
    ['application/octet-stream', `\0${csv}`],
    ['application/octet-stream', `${csv}\u0001`],
    ['image/png', csv],
    ['video/mp2t', csv],
    ['application/pdf', csv],
  ])('what is none, or would be torn by another length, stays: %s', (mimeType, text) => {
    const file = { data: bytes(text), mimeType };
    expect(redacted(file.data, mimeType)).toEqual(file);
  });

  test('an encoding that nothing here writes becomes UTF-8, and the type says so', () => {
    const koi8 = Buffer.concat([Buffer.from([0xc1, 0xce, 0xce, 0xc1]), Buffer.from(' anna@example.com')]);
    const next = redacted(new Uint8Array(koi8), 'text/plain; charset=koi8-r; format=flowed');
    expect(read(next.data)).toBe('анна [EMAIL_1]');
    expect(next.mimeType).toBe('text/plain; charset=utf-8; format=flowed');
    const wide = redacted(utf32('\ufeffto anna@example.com'), 'text/plain');
    expect(read(wide.data)).toContain('to [EMAIL_1]');
    expect(wide.mimeType).toBe('text/plain; charset=utf-8');
  });

  test.each([
    ['utf-16le', bytes(csv)],
    ['utf-16be', bytes(csv)],
    ['utf-8', bytes(csv, 'utf16le')],
    ['utf-8', bytes(csv, 'latin1')],
    ['shift_jis', bytes(csv, 'utf16le')],
  ])('a false declaration of %s hides nothing', (charset, data) => {
    const next = redacted(data, `text/csv; charset="${charset}"`);
    for (const encoding of ['latin1', 'utf16le'] as const)
      expect(read(next.data, encoding)).not.toContain('anna@example.com');
  });

  test.each(['utf-7', 'ibm037', 'x-unknown'])(
    'the character set %s cannot be read, so it is refused',
    (name) => {
      expect(() => redacted(bytes('anna+AEA-example.com'), `text/plain; charset=${name}`)).toThrow(RunError);
      expect(() => redacted(bytes('anna'), `text/plain; charset=${name}`)).toThrow(/character set/);
    },
  );

  test('data without a finding, and data that are no text, are the same', () => {
    for (const data of [Buffer.from('nothing').toString('base64'), bytes('näh', 'latin1'), bigEndian('näh')])
      expect(redacted(data, 'text/plain').data).toBe(data);
    const image = bytes('anna@example.com');
    expect(redacted(image, 'image/png').data).toBe(image);
    expect(redacted('x', undefined).data).toBe('x');
  });
});

test('names and types of attachments are redacted, paths of stored files stay', () => {
  const attachments = [
    { name: 'to anna@example.com', mimeType: 'text/plain; name="anna@example.com"', data: 'aGk=' },
    { type: 'file', path: 'attachments/anna@example.com', name: 'a', mimeType: 'image/png', size: 4 },
  ];
  const next = atOnce(redactResult({ status: 'success', result: 'ok', attachments }, sampleRedaction()));
  expect(next.attachments).toEqual([
    { name: 'to [EMAIL_1]', mimeType: 'text/plain; name="[EMAIL_1]"', data: 'aGk=' },
    attachments[1],
  ]);
});

test('a text is clean only for the field in which it was checked', () => {
  const redaction = sampleRedaction();
  const calls = JSON.stringify([
    { id: 'call', type: 'function', function: { name: 'write_to_anna@example.com', arguments: '{"a":1}' } },
    { id: 'other', type: 'function', function: { name: 'list_all_of_the_files', arguments: '{"a":1}' } },
  ]);
  const said = { role: 'assistant', content: null, tool_calls: calls };
  expect(atOnce(redactMessage(said, redaction))).toEqual(said);
  expect(atOnce(redactMessage({ role: 'user', content: calls }, redaction)).content).not.toContain('anna@');
  expect(atOnce(redactResult({ status: 'success', result: calls }, redaction)).result).not.toContain('anna@');
});
