import { expect, test } from 'vitest';
import type { HookToolResult } from '../vocabulary/messages.ts';
import { makeThrownResult, toResult } from './answers.ts';

const answers: Array<[unknown, HookToolResult]> = [
  ['text', { status: 'success', result: 'text' }],
  ['', { status: 'success', result: '' }],
  [undefined, { status: 'success', result: '' }],
  [null, { status: 'success', result: 'null' }],
  [7, { status: 'success', result: '7' }],
  [false, { status: 'success', result: 'false' }],
  [[1, 2], { status: 'success', result: '[1,2]' }],
  [{ orders: [] }, { status: 'success', result: '{"orders":[]}' }],
  [{ at: new Date(0) }, { status: 'success', result: '{"at":"1970-01-01T00:00:00.000Z"}' }],
  [
    { status: 'success', result: 'x', at: new Date(0) },
    { status: 'success', result: 'x', at: '1970-01-01T00:00:00.000Z' } as HookToolResult,
  ],
  [{ status: 'success' }, { status: 'success' }],
  [
    { status: 'error', error: 'x', extra: 1 } as HookToolResult,
    { status: 'error', error: 'x', extra: 1 } as HookToolResult,
  ],
  [
    { status: 'success', orders: [1] },
    { status: 'success', result: '{"status":"success","orders":[1]}' },
  ],
  [
    { status: 'success', result: 42 },
    { status: 'success', result: '{"status":"success","result":42}' },
  ],
  [
    { status: 'error', error: {} },
    { status: 'success', result: '{"status":"error","error":{}}' },
  ],
  [
    { status: 'success', attachments: 'x' },
    { status: 'success', result: '{"status":"success","attachments":"x"}' },
  ],
  [{ status: 'shipped' }, { status: 'success', result: '{"status":"shipped"}' }],
];

test.each(answers)('the answer %j becomes a result without losing anything', (answer, result) => {
  expect(toResult(answer)).toEqual(result);
});

const notKept = 'This tool has run, but what it returned cannot be kept: ';
const unfit: Array<[unknown, string]> = [
  [() => 1, 'the value itself is a function, which has no form in JSON.'],
  [{ rows: [{ id: 1n }] }, 'field rows.0.id is a BigInt, which has no form in JSON.'],
  [{ ratio: Number.NaN }, 'field ratio is a number that is not finite, which has no form in JSON.'],
  [{ status: 'success', result: 'x', by: new Map() }, 'field by is a Map, which has no form in JSON.'],
  [
    JSON.parse('{"__proto__":{"a":1}}'),
    'the value itself holds a field called __proto__; give it another name.',
  ],
];
test.each(unfit)(
  'an answer that has no form in JSON is an error that names the field (%#)',
  (answer, why) => {
    expect(toResult(answer)).toEqual({ status: 'error', error: `${notKept}${why}` });
  },
);

test('bytes in an answer become attachments', () => {
  const data = new Uint8Array([1, 2]);
  const file = { mimeType: 'application/octet-stream', data };
  expect(toResult(data)).toEqual({
    status: 'success',
    result: '"[attachment data, 2 bytes]"',
    attachments: [{ name: 'data', ...file }],
  });
  expect(toResult({ title: 'Chart', png: data, attachments: [{ data }] })).toEqual({
    status: 'success',
    result:
      '{"title":"Chart","png":"[attachment png, 2 bytes]","attachments":[{"data":"[attachment attachments.0.data, 2 bytes]"}]}',
    attachments: [
      { name: 'png', ...file },
      { name: 'attachments.0.data', ...file },
    ],
  });
  const attachments = [{ name: 'a', mimeType: 'b', data }];
  expect(toResult({ status: 'success', attachments, raw: data })).toEqual({
    status: 'success',
    raw: '[attachment raw, 2 bytes]',
    attachments: [...attachments, { name: 'raw', ...file }],
  });
});

test('whatever is thrown becomes an error', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const hostile = Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw proxy;
    },
  });
  for (const thrown of [proxy, hostile]) expect(makeThrownResult(thrown).status).toBe('error');
});
