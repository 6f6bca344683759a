import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyHook, createExecutor, scopeOf } from '@spec/hooks';
import { fakeState, toolCall } from '@spec/hooks/testing';
import { isSample, pickShare } from '@spec/test-helpers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';
import { atOnce, inPieces, type Pieces } from './pieces.ts';
import { sampleRedaction } from './sample-redaction.ts';
import { redactText } from './text.ts';

/** What there is to find, of every kind and several lengths. */
const VALUES = [
  'anna.maria+list@mail.example.com',
  '4111 1111 1111 1111',
  '4111111111111111',
  '+1 415 555 2671',
  '(415) 555-2671',
  'AKIAIOSFODNN7EXAMPLE',
  'born on 5 April 1990',
  `password="${'k3y'.repeat(300)}"`,
  `Bearer ${'aB3'.repeat(1200)}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA\n'.repeat(400)}-----END RSA PRIVATE KEY-----`,
  'anna\\u0040example.com',
  'call ４１５-５５５-２６７１ now',
];
/** What stands between, without and with spaces; all of it harmless. */
const FILLERS = ['lorem ipsum dolor ', 'abc,', 'x', '. ', '\n', '電話', 'ids 12 34; ', '\\\\', 'a_b-c/d '];

const pieces = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...VALUES) },
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...FILLERS), fc.integer({ min: 1, max: 400 })) },
  ),
  { minLength: 3, maxLength: 14 },
);

const written = (parts: ReadonlyArray<string | readonly [string, number]>): string =>
  parts.map((part) => (typeof part === 'string' ? ` ${part} ` : part[0].repeat(part[1]))).join('');

/** The same redaction by detectors that see the whole text at once. */
function redactedWhole(text: string): string {
  const { redactor, memory, seen } = sampleRedaction();
  const whole = redactor.detectors.map((detector) => ({ ...detector, windows: 'whole' as const }));
  const place = { memory, seen, key: undefined, isNumber: false, asked: false };
  return atOnce(redactText(text, { ...redactor, detectors: whole }, place));
}

describe('a long text', { timeout: 60_000 }, () => {
  test('gives the same in pieces as at once, whatever stands over their borders', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = written(parts);
        expect(sampleRedaction().text(text)).toBe(redactedWhole(text));
      }),
      { numRuns: isSample ? 5 : 30 },
    );
  });

  test.each(pickShare(VALUES, 4))('loses no value at a border: %#', (value) => {
    for (const filler of ['word ', 'wörter', 'x']) {
      for (const around of [300, 512, 1800, 2048, 16_000]) {
        const text = `${filler.repeat(around / filler.length)} ${value} ${filler.repeat(3000 / filler.length)}`;
        expect(sampleRedaction().text(text)).toBe(redactedWhole(text));
        expect(sampleRedaction().text(text)).not.toContain(value);
      }
    }
  });

  test('loses a key that has no end, and a value that is longer than any window', () => {
    const { text, value } = sampleRedaction();
    const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA\n'.repeat(60_000)}`;
    expect(text(`before ${key}`)).toBe('before [SECRET_1]');
    expect(value({ password: 'abc '.repeat(200_000) })).toEqual({ password: '[SECRET_2]' });
  });
});

describe('work in pieces', () => {
  /** Takes some milliseconds for each piece. */
  function* slowly(count: number): Pieces<number> {
    for (let done = 0; done < count; done++) {
      const until = performance.now() + 3;
      while (performance.now() < until);
      yield;
    }
    return count;
  }

  test('lets other work run between them', async () => {
    let turns = 0;
    const counting = (async () => {
      for (;;) {
        await sleep(0);
        turns++;
      }
    })();
    counting.catch(() => {});
    expect(await inPieces(slowly(30), () => undefined)).toBe(30);
    expect(turns).toBeGreaterThan(3);
  });

  test('ends between them when it is aborted', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('stopped')), 1);
    await expect(inPieces(slowly(10_000), () => controller.signal)).rejects.toThrow('stopped');
  });

  test('that is short asks for no signal', async () => {
    const work = function* (): Pieces<string> {
      yield;
      return 'done';
    };
    expect(
      await inPieces(work(), () => {
        throw new Error('asked');
      }),
    ).toBe('done');
  });
});

describe('redaction of a text that takes longer than its hook may', () => {
  test('ends at the deadline, and the result is withheld', async () => {
    let told = 0;
    const executor = createExecutor({
      timeout: 40,
      onRun: ({ outcome }) => (told += Number(outcome === 'timed_out')),
    });
    const scope = scopeOf(redact().map((hook) => ({ hook: hook as AnyHook, source: 'test' })));
    const result = { status: 'success', result: '555-1234 x'.repeat(100_000) };
    const stored = await executor.run(
      'before_store_tool_result',
      scope,
      fakeState(),
      { ...toolCall('find') },
      result,
    );
    expect([stored.status, told]).toEqual(['error', 1]);
  });
});
