import { createHash } from 'node:crypto';
import { type AnyHook, createExecutor, scopeOf } from '@spec/hooks';
import { assistantMessage, fakeState } from '@spec/hooks/testing';
import { expect, test } from 'vitest';
import { redact } from './index.ts';

type Fields = Record<string, unknown>;

async function create(message: Fields): Promise<Fields> {
  const scope = scopeOf(
    redact({ defaultCountry: 'DE' }).map((hook) => ({ hook: hook as AnyHook, source: 'test' })),
  );
  return createExecutor().run('before_create_message', scope, fakeState(), message);
}

/** Bytes that look like chance and are the same in every run. */
function makeBytes(seed: string, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(seed).digest();
}

/** What providers give, as they give it. */
function signatures(sample: number): Fields[] {
  const base64 = makeBytes(`signature ${sample}`, 600).toString('base64');
  return [
    { anthropic: { signature: base64 } },
    { anthropic: { redactedData: base64 } },
    { google: { thoughtSignature: base64 } },
    {
      openai: {
        itemId: `rs_${makeBytes(`id ${sample}`, 24).toString('hex')}`,
        reasoningEncryptedContent: `gAAAAA${base64}`,
      },
    },
  ];
}

test('reasoning is redacted as the text of the answer is; what its provider wants back stays', async () => {
  for (let sample = 0; sample < 50; sample++)
    for (const metadata of signatures(sample)) {
      const given = {
        ...assistantMessage('I wrote to anna@example.com.'),
        reasoning: [{ id: 'reasoning_1', text: 'Her address is anna@example.com.', metadata }],
        provider_metadata: {
          provider: 'anthropic.messages',
          model: 'claude-sonnet-4-20250514',
          parts: [
            { type: 'reasoning', id: 'reasoning_1' },
            { type: 'text', length: 28, metadata },
          ],
        },
      };
      expect(await create(given)).toEqual({
        ...given,
        content: 'I wrote to [EMAIL_1].',
        reasoning: [{ id: 'reasoning_1', text: 'Her address is [EMAIL_1].', metadata }],
      });
    }
});
