import { describe, expect, test } from 'vitest';
import { changeFiles, compareFiles, readFiles } from './sent-files.ts';

const encode = (text: string): string => btoa(text);
const secret = encode('ada@example.org');
const clean = encode('[EMAIL_1]');
const address = `data:text/plain;base64,${secret}`;
const cleanAddress = `data:text/plain;base64,${clean}`;

/** Each form that a place has a text file in, and the same with another text. */
const forms: readonly (readonly [string, object, object])[] = [
  [
    'bytes',
    { data: new TextEncoder().encode('ada@example.org') },
    { data: new TextEncoder().encode('[EMAIL_1]') },
  ],
  ['base64', { data: secret, mediaType: 'text/plain' }, { data: clean, mediaType: 'text/plain' }],
  [
    'base64 of addresses, without its end',
    { data: encode('ada@example.org ??>').replace(/=+$/, '') },
    { data: clean },
  ],
  ['base64 in lines', { data: `${secret.slice(0, 8)}\r\n${secret.slice(8)}` }, { data: clean }],
  ['an address with its data', { file: { file_data: address } }, { file: { file_data: cleanAddress } }],
  ['an address with its words', { url: 'data:text/plain,ada%40example.org' }, { url: cleanAddress }],
  ['an address that is an object', { data: new URL(address) }, { data: new URL(cleanAddress) }],
  ['an address behind a space', { file: ` ${address}` }, { file: cleanAddress }],
  [
    'a text that says so',
    { data: { type: 'text', text: 'ada@example.org' } },
    { data: { type: 'text', text: '[EMAIL_1]' } },
  ],
  ['data that says so', { data: { type: 'data', data: secret } }, { data: { type: 'data', data: clean } }],
  [
    'a source',
    { source: { type: 'base64', media_type: 'text/plain', data: secret } },
    { source: { type: 'base64', media_type: 'text/plain', data: clean } },
  ],
  [
    'bytes of a document',
    { document: { format: 'txt', source: { bytes: new TextEncoder().encode('ada@example.org') } } },
    { document: { format: 'txt', source: { bytes: new TextEncoder().encode('[EMAIL_1]') } } },
  ],
  [
    'a document in a block of another framework, with its contents in a list',
    {
      type: 'non_standard',
      value: { source: { content: [{ type: 'text', text: 'a' }, { image: address }] } },
    },
    {
      type: 'non_standard',
      value: { source: { content: [{ type: 'text', text: 'a' }, { image: cleanAddress }] } },
    },
  ],
  ['an image at an address', { image_url: { url: address } }, { image_url: { url: cleanAddress } }],
  ['an image that is an address', { image_url: address }, { image_url: cleanAddress }],
  [
    'a file by an older name',
    { file: { id: 'file-1' }, fileData: address },
    { file: { id: 'file-1' }, fileData: cleanAddress },
  ],
];

describe('a file of the user', () => {
  test.each(forms)('is read and written in its own form: %s', async (_, part, next) => {
    const sent = await readFiles([part]);
    const attachments = sent.map(({ file }) => ('data' in file ? { ...file, data: clean } : file));
    const inline = sent.flatMap(({ file }) => ('data' in file ? [atob(file.data as string)] : []));
    expect(inline).toEqual([expect.stringContaining('ada@example.org')]);
    expect(changeFiles([part], sent, compareFiles(sent, attachments))).toEqual([next]);
  });

  test.each([
    [
      'an address',
      { type: 'input_file', file: { url: 'https://a.example/a.pdf' } },
      'https://a.example/a.pdf',
    ],
    ['an object of storage', { type: 'media', fileUri: 'gs://bucket/a.pdf' }, 'gs://bucket/a.pdf'],
    ['an id', { type: 'input_image', image: { id: 'file-1' } }, 'file-id:file-1'],
    [
      'an id in a source',
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
      'file-id:file_1',
    ],
    ['an id of an older form', { type: 'file', source_type: 'id', id: 'file-1' }, 'file-id:file-1'],
  ])('is an address where its bytes are with the provider: %s', async (_, part, url) => {
    const sent = await readFiles([part]);
    expect(sent.map(({ file }) => file)).toMatchObject([{ type: 'url', url, name: 'file-1' }]);
    expect(changeFiles([part], sent, compareFiles(sent, [sent[0]?.file]))).toEqual([part]);
  });

  test.each([
    [{ type: 'file', data: secret, mediaType: 'text/csv', filename: 'a.csv' }, 'text/csv', 'a.csv'],
    [
      { type: 'file', mime_type: 'text/csv', data: secret, metadata: { filename: 'a.csv' } },
      'text/csv',
      'a.csv',
    ],
    [{ type: 'image', image: `iVBORw0KGgo${'A'.repeat(9)}` }, 'image/png', 'file-1'],
    [{ type: 'input_image', image: 'https://a.example' }, 'image/*', 'file-1'],
    [{ type: 'audio', audio: secret, format: 'mp3' }, 'audio/mp3', 'file-1'],
    [{ type: 'input_audio', input_audio: { data: secret, format: 'wav' } }, 'audio/wav', 'file-1'],
    [{ type: 'input_file', file: address }, 'text/plain', 'file-1'],
    [{ type: 'file', data: secret }, 'application/octet-stream', 'file-1'],
    [{ type: 'file', data: address, mimeType: 'image/jpeg' }, 'text/plain', 'file-1'],
    [
      { url: address.replace('text/plain', 'application/octet-stream'), mimeType: 'text/csv' },
      'text/csv',
      'file-1',
    ],
  ])('has a name and a type: %j', async (part, mimeType, name) => {
    expect((await readFiles([part])).map(({ file }) => file)).toMatchObject([{ mimeType, name }]);
  });

  test('is known where hooks have changed its name, its contents, or both', async () => {
    const parts = ['one', 'two', 'three'].map((text) => ({ data: encode(text), filename: `${text}.txt` }));
    const sent = await readFiles(parts);
    const [one, two, three] = sent.map(({ file }) => file);
    const left = [
      { ...three, name: '[NAME_1].txt', data: encode('3') },
      { ...one, name: '[NAME_2].txt' },
      { ...two, data: encode('2') },
    ];
    expect(changeFiles(parts, sent, compareFiles(sent, left))).toEqual([
      { data: encode('one'), filename: '[NAME_2].txt' },
      { data: encode('2'), filename: 'two.txt' },
      { data: encode('3'), filename: '[NAME_1].txt' },
    ]);
  });

  test('is left out where hooks took it out, and is told of where they added it', async () => {
    const parts = [
      { data: encode('one'), mediaType: 'image/png' },
      { data: encode('two'), filename: 'two.txt' },
    ];
    const sent = await readFiles(parts);
    const more = { name: 'note.txt', mimeType: 'text/plain', data: encode('note') };
    const changes = compareFiles(sent, [sent[1]?.file, more, 'nothing', { name: 'a' }]);
    expect(changeFiles(parts, sent, changes)).toEqual([parts[1]]);
    expect(changes.added).toEqual([more]);
  });

  test('stays where hooks took out another one that is the same', async () => {
    const part = { data: encode('one'), filename: 'one.txt' };
    const sent = await readFiles([part, { ...part }]);
    expect(changeFiles([part], sent, compareFiles(sent, [sent[0]?.file]))).toEqual([part]);
  });
});
