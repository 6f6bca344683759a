import { describe, expect, test } from 'vitest';
import { ours } from './contenders.ts';
import { plainContexts } from './contexts.ts';
import { harmlessLines } from './harmless.ts';
import { kinds } from './kinds.ts';
import { seededRandom } from './random.ts';
import { findMisses, makeTexts } from './recall.ts';

const makeSamples = (name: string): string[] => {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return Array.from({ length: 40 }, (_, index) => kind.sample(seededRandom(`test ${index}`)).value);
};

describe('texts to redact', () => {
  test('are the same in every run, and the halves share none', () => {
    const [kind] = kinds;
    if (kind === undefined) throw new Error('no kinds');
    const [tuning, heldOut] = (['tuning', 'held out'] as const).map((half) => makeTexts(kind, 'plain', half));
    expect(makeTexts(kind, 'plain', 'held out')).toEqual(heldOut);
    const texts = new Set(tuning?.map(({ text }) => text));
    expect(heldOut?.filter(({ text }) => texts.has(text))).toEqual([]);
    expect((tuning?.length ?? 0) + (heldOut?.length ?? 0)).toBe(3 * plainContexts.length);
  });

  test('hold their value as it is written', () => {
    for (const kind of kinds) {
      for (const { text, written } of makeTexts(kind, 'plain', 'tuning')) expect(text).toContain(written);
    }
  });

  test.each([
    ['BR CPF, bare', /^\d{11}$/],
    ['IN Aadhaar, printed', /^[2-9]\d{3} \d{4} \d{4}$/],
    ['CN resident id, bare', /^\d{17}[\dX]$/],
    ['DE tax id, bare', /^[1-9]\d{10}$/],
  ])('are of the issuer’s form: %s', (name, form) => {
    for (const value of makeSamples(name)) expect(value).toMatch(form);
  });

  test('count as missed where half of the value is left', async () => {
    const texts = [
      { kind: 'x', context: 'x', text: 'It is 12345678.', written: '12345678', country: undefined },
    ];
    const leaving = (redacted: string) => ({ name: 'x', redact: async () => redacted });
    expect(await findMisses(leaving('It is [X].'), texts)).toEqual([]);
    expect(await findMisses(leaving('It is 123[X].'), texts)).toEqual([]);
    expect(await findMisses(leaving('It is [X]5678.'), texts)).toEqual(texts);
  });
});

test('harmless lines are many, real and each there once', { timeout: 120_000 }, () => {
  const lines = harmlessLines();
  expect(lines.length).toBeGreaterThan(10_000);
  expect(new Set(lines.map(({ text }) => text)).size).toBe(lines.length);
});

test('nearly all that is promised is found, in a sample of the texts that detectors are worked on with', {
  timeout: 120_000,
}, async () => {
  const texts = kinds
    .filter(({ isPromised }) => isPromised)
    .flatMap((kind) => makeTexts(kind, 'plain', 'tuning').filter((_, index) => index % 15 === 0));
  const missed = await findMisses(ours(), texts);
  expect(missed.length / texts.length).toBeLessThan(0.02);
});
