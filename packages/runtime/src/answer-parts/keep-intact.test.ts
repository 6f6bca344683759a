import { expect, test } from 'vitest';
import type { WholeAnswer } from './index.ts';
import { keepIntact } from './keep-intact.ts';

const metadata = { anthropic: { signature: 'c2ln' } };
const signed = { id: 'reasoning_1', text: 'One.', metadata };
const unsigned = { id: 'reasoning_2', text: 'Two.' };
const placed = {
  provider: 'anthropic.messages',
  model: 'claude',
  parts: [
    { type: 'reasoning', id: 'reasoning_1' },
    { type: 'reasoning', id: 'reasoning_2' },
    { type: 'text', length: 3, metadata },
  ],
};
const answer: WholeAnswer = {
  content: 'Hi.',
  calls: [],
  reasoning: [signed, unsigned],
  provider_metadata: placed,
};

test('an answer that nobody changed is as it was', () => {
  const { reasoning, provider_metadata } = answer;
  expect(keepIntact(answer, answer)).toEqual({ fields: { reasoning, provider_metadata }, hasDropped: false });
});

test.each<[string, Partial<WholeAnswer>]>([
  ['was changed', { provider_metadata: { ...placed, model: 'other' } }],
  ['was taken away', { provider_metadata: undefined }],
])('where the metadata of the message %s, what is not signed stays alone (K4)', (_, change) => {
  expect(keepIntact({ ...answer, ...change }, answer)).toEqual({
    fields: { reasoning: [unsigned] },
    hasDropped: true,
  });
});

test.each<[string, object]>([
  ['its text', { ...signed, text: 'Other.' }],
  ['its metadata', { ...signed, metadata: { anthropic: { signature: 'b3RoZXI=' } } }],
  ['its id', { ...signed, id: 'reasoning_9' }],
])('a signed part with %s changed goes (K1)', (_, part) => {
  const { fields, hasDropped } = keepIntact({ ...answer, reasoning: [part, unsigned] }, answer);
  expect([fields.reasoning, hasDropped]).toEqual([[unsigned], true]);
});

test('reasoning that a hook signs by itself was never signed', () => {
  const { fields } = keepIntact({ ...answer, reasoning: [signed, { ...unsigned, metadata }] }, answer);
  expect(fields.reasoning).toEqual([signed]);
});
