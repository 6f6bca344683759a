import { describe, expect, test } from 'vitest';
import { createMemory, type MemoryOptions } from './memory.ts';
import { sampleRedaction } from './sample-redaction.ts';

const memoryOf = (options: Partial<MemoryOptions> = {}): ReturnType<typeof createMemory> =>
  createMemory({ writer: 'w', mark: (label, value) => `${label}/${value}`, ...options });

describe('the memory of a thread', () => {
  test('gives a value one number, and two values two, by label', () => {
    const memory = memoryOf();
    expect([
      memory.numberOf('EMAIL', ['a']),
      memory.numberOf('EMAIL', ['b']),
      memory.numberOf('CARD', ['a']),
      memory.numberOf('EMAIL', ['a']),
    ]).toEqual([1, 2, 1, 1]);
  });

  test('knows a value by any of its readings', () => {
    const memory = memoryOf();
    memory.numberOf('DATE_OF_BIRTH', ['1990-04-05', '1990-05-04']);
    expect(memory.numberOf('DATE_OF_BIRTH', ['1990-05-04'])).toBe(1);
    expect(memory.isBirthDate?.('1990-05-04')).toBe(true);
    expect(memory.isBirthDate?.('1990-05-05')).toBe(false);
  });

  test('a second reading of a known value names no other', () => {
    const memory = memoryOf();
    memory.numberOf('DATE_OF_BIRTH', ['1990-04-05']);
    expect(memory.numberOf('DATE_OF_BIRTH', ['1990-04-05', '1990-05-04'])).toBe(1);
    expect(memory.numberOf('DATE_OF_BIRTH', ['1990-05-04'])).toBe(2);
  });

  test('goes on counting from where it was', () => {
    const memory = memoryOf({ counters: { EMAIL: 7 }, marks: { EMAIL: { 'EMAIL/a': 3 } } });
    expect([memory.numberOf('EMAIL', ['a']), memory.numberOf('EMAIL', ['b'])]).toEqual([3, 8]);
  });

  test('is new only when it counted on', () => {
    const memory = memoryOf();
    memory.numberOf('EMAIL', ['a']);
    const { revision } = memory;
    memory.numberOf('EMAIL', ['a']);
    expect(memory.revision).toBe(revision);
  });

  test('never gives away a number that stands in a text already', () => {
    const { text } = sampleRedaction();
    expect(text('the child wrote [EMAIL_4], and bob@example.com')).toBe(
      'the child wrote [EMAIL_4], and [EMAIL_5]',
    );
    expect(text('[EMAIL_123456] carl@example.com')).toBe('[EMAIL_123456] [EMAIL_6]');
  });

  test('is bounded', () => {
    const memory = memoryOf();
    for (let count = 0; count < 10_050; count++) memory.numberOf('EMAIL', [String(count)]);
    expect(Object.keys(memory.keptMarks().EMAIL ?? {})).toHaveLength(10_000);
    expect(memory.numberOf('EMAIL', ['0'])).toBe(10_051);
  });
});
