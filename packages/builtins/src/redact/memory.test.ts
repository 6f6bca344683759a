import { describe, expect, test } from 'vitest';
import { createMemory, type MemoryOptions, type ThreadMemory } from './memory.ts';
import { sampleRedaction } from './sample-redaction.ts';

const makeMemory = (options: Partial<MemoryOptions> = {}): ThreadMemory =>
  createMemory({ writer: 'w', mark: (label, value) => `${label}/${value}`, ...options });

const giveNumber = (memory: ThreadMemory, label: string, values: string[]): number =>
  memory.giveNumber(label, { text: values[0] ?? '', values, isNumber: false, origin: 'conversation' });

describe('the memory of a thread', () => {
  test('gives a value one number, and two values two, by label', () => {
    const memory = makeMemory();
    expect([
      giveNumber(memory, 'EMAIL', ['a']),
      giveNumber(memory, 'EMAIL', ['b']),
      giveNumber(memory, 'CARD', ['a']),
      giveNumber(memory, 'EMAIL', ['a']),
    ]).toEqual([1, 2, 1, 1]);
  });

  test('knows a value by any of its readings', () => {
    const memory = makeMemory();
    giveNumber(memory, 'DATE_OF_BIRTH', ['1990-04-05', '1990-05-04']);
    expect(giveNumber(memory, 'DATE_OF_BIRTH', ['1990-05-04'])).toBe(1);
    expect(memory.isBirthDate?.('1990-05-04')).toBe(true);
    expect(memory.isBirthDate?.('1990-05-05')).toBe(false);
  });

  test('a second reading of a known value names no other', () => {
    const memory = makeMemory();
    giveNumber(memory, 'DATE_OF_BIRTH', ['1990-04-05']);
    expect(giveNumber(memory, 'DATE_OF_BIRTH', ['1990-04-05', '1990-05-04'])).toBe(1);
    expect(giveNumber(memory, 'DATE_OF_BIRTH', ['1990-05-04'])).toBe(2);
  });

  test('goes on counting from where it was', () => {
    const memory = makeMemory({ counters: { EMAIL: 7 }, marks: { EMAIL: { 'EMAIL/a': 3 } } });
    expect([giveNumber(memory, 'EMAIL', ['a']), giveNumber(memory, 'EMAIL', ['b'])]).toEqual([3, 8]);
  });

  test('is new only when it counted on', () => {
    const memory = makeMemory();
    giveNumber(memory, 'EMAIL', ['a']);
    const { revision } = memory;
    giveNumber(memory, 'EMAIL', ['a']);
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
    const memory = makeMemory();
    for (let count = 0; count < 10_050; count++) giveNumber(memory, 'EMAIL', [String(count)]);
    expect(Object.keys(memory.keptMarks().EMAIL ?? {})).toHaveLength(10_000);
    expect(giveNumber(memory, 'EMAIL', ['0'])).toBe(10_051);
  });
});
