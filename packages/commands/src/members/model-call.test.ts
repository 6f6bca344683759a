import type { JsonObject } from 'type-fest';
import { expect, test } from 'vitest';
import { decideModelCall } from './model-call.ts';

const request = {
  ...{ callId: 'c1', model: 'large', step: 1, attempt: 1, estimatedTokens: 9 },
  usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 },
  ...{ settings: { temperature: 1, seed: 7 }, toolChoice: null, tools: ['Read', 'Bash'] },
  messages: [{ role: 'user', content: 'Hi' }],
};
const decide = (changed: JsonObject) => decideModelCall({ request: changed, output: undefined }, request);

test('what commands change of a request is changed, and the rest stays', () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  expect(decide({ settings: { temperature: 0 }, messages })).toEqual({
    input: { settings: { temperature: 0, seed: 7 } },
  });
  expect(decide({ tools: ['Bash', 'other'], toolChoice: 'none' })).toEqual({
    input: { tools: ['Bash'], toolChoice: 'none' },
  });
  expect(decide({ model: 'small' })).toEqual({ input: { model: 'small' } });
  expect(decide({ model: 'large' })).toBeUndefined();
});

test('messages that a command has changed are not sent as they were', () => {
  expect(decide({ messages: [{ role: 'user', content: 'redacted' }] })).toMatchObject({ decision: 'deny' });
});

test('an answer in the place of the model is one', () => {
  expect(decideModelCall({ request: undefined, output: 'Not now.' }, request)).toEqual({
    result: { content: 'Not now.' },
  });
});
