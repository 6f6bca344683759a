import { expect, test } from 'vitest';
import { findSkipReason, writeSkipReason } from '../src/page/lib/skip-reasons.ts';

test.each([
  ['tools: delete_* does not match get_payment', 'matcher'],
  ['the matcher bash does not match Bash', 'matcher'],
  ['the hook "no_deletes" had denied', 'decided'],
  ['the hook "guard" had blocked the chain', 'blocked'],
  ['plain_1 has the same handler', 'same'],
  ['it is for subagents', 'thread'],
  ['its file does not run: it is not trusted', 'untrusted'],
  ['the thread was aborted', 'ended'],
  ['no hook of the thread may begin any more', 'ended'],
  [undefined, 'other'],
] as const)('%s: %s', (why, reason) => {
  expect(findSkipReason(why)).toBe(reason);
  expect(writeSkipReason(reason)).toMatch(/^[A-Z].*\.$/);
});
