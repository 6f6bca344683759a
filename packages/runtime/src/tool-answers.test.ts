import type { HookToolResult } from '@spec/hooks';
import { expect, test } from 'vitest';
import { toResult } from './tool-answers.ts';

const answers: Array<[unknown, HookToolResult]> = [
  ['text', { status: 'success', result: 'text' }],
  ['', { status: 'success', result: '' }],
  [undefined, { status: 'success', result: '' }],
  [null, { status: 'success', result: 'null' }],
  [7, { status: 'success', result: '7' }],
  [false, { status: 'success', result: 'false' }],
  [[1, 2], { status: 'success', result: '[1,2]' }],
  [{ orders: [] }, { status: 'success', result: '{"orders":[]}' }],
  [() => 1, { status: 'success', result: '' }],
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
