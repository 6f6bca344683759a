import { RunError } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { createSeals } from './seal.ts';

const bytes = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const text = '[["CARD",1,"4111 1111 1111 1111"]]';

async function readCode(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RunError)) throw error;
  expect(error.message).not.toContain('4111 1111');
  return error.code;
}

describe('what is kept encrypted', () => {
  test.each([
    ['bytes', bytes(1)],
    ['a text', 'correct horse battery'],
  ])('opens under the same key given as %s, in another process too', async (_, key) => {
    const sealed = await createSeals([key], 'redact')('t1').close(text, 'p');
    expect(sealed).toMatch(/^v1\.[\w-]{12}\.[\w-]{16}\.[\w-]+$/);
    expect(await createSeals([key], 'redact')('t1').open(sealed, 'p')).toEqual({ text, isCurrent: true });
  });

  test('is another text every time, and holds nothing of the one that went in', async () => {
    const seal = createSeals([bytes(1)], 'redact')('t1');
    const all = await Promise.all([seal.close(text, 'p'), seal.close(text, 'p')]);
    expect(all[0]).not.toBe(all[1]);
    for (const sealed of all) {
      const data = Buffer.from(sealed.split('.')[3] ?? '', 'base64url').toString('latin1');
      expect(data).not.toContain('4111 1111');
    }
  });

  test('opens under an older key of the list, which is told', async () => {
    const sealed = await createSeals([bytes(1)], 'redact')('t1').close(text, 'p');
    const rotated = createSeals([bytes(2), bytes(1)], 'redact')('t1');
    expect(await rotated.open(sealed, 'p')).toEqual({ text, isCurrent: false });
    const again = await rotated.close(text, 'p');
    expect(await createSeals([bytes(2)], 'redact')('t1').open(again, 'p')).toEqual({ text, isCurrent: true });
  });

  test('opens under no other key, in no other thread, at no other place, for no other instance', async () => {
    const sealed = await createSeals([bytes(1)], 'redact')('t1').close(text, 'p');
    const others = [
      readCode(createSeals([bytes(2)], 'redact')('t1').open(sealed, 'p')),
      readCode(createSeals([bytes(1)], 'redact')('t2').open(sealed, 'p')),
      readCode(createSeals([bytes(1)], 'redact')('t1').open(sealed, 'q')),
      readCode(createSeals([bytes(1)], 'pci')('t1').open(sealed, 'p')),
    ];
    for (const other of others) expect(await other).toBe('wrong_key');
  });

  test('opens not when one bit of it was changed, or it is none of ours', async () => {
    const seal = createSeals([bytes(1)], 'redact')('t1');
    const [version, id, iv, data = ''] = (await seal.close(text, 'p')).split('.');
    const flipped = Buffer.from(data, 'base64url');
    flipped[3] = (flipped[3] as number) ^ 1;
    const changed = [version, id, iv, flipped.toString('base64url')].join('.');
    for (const sealed of [changed, 'v2.a.b.c', '', `${version}.${id}..`])
      expect(await readCode(seal.open(sealed, 'p'))).toBe('wrong_key');
  });
});
