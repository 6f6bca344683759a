import { describe, expect, test } from 'vitest';
import type { KeptValue } from './kept-value.ts';
import { findValuesOfCall } from './value-finder.ts';
import { createVault, type Vault } from './vault.ts';

const keep = (vault: Vault, number: number, text: string = `value ${number}`): boolean =>
  vault.keep('SECRET', number, { text, values: [text], isNumber: false, origin: 'person' });
const kept = (vault: Vault, number: number): string | undefined => vault.get('SECRET', number)?.text;

describe('the values of a thread', () => {
  test('stay as they were first met', () => {
    const vault = createVault();
    expect([keep(vault, 1, 'Anna'), keep(vault, 1, 'ANNA')]).toEqual([true, false]);
    expect([kept(vault, 1), kept(vault, 2)]).toEqual(['Anna', undefined]);
  });

  test('are numbers until one of them was met as text', () => {
    const vault = createVault();
    vault.keep('CARD', 1, { text: '42', values: ['42'], isNumber: true, origin: 'person' });
    expect(vault.get('CARD', 1)?.isNumber).toBe(true);
    expect(vault.keep('CARD', 1, { text: '4 2', values: ['42'], isNumber: false, origin: 'person' })).toBe(
      true,
    );
    expect(vault.get('CARD', 1)).toMatchObject({ isNumber: false, text: '4 2' });
  });

  test('lie in blocks, of which a new value changes one', () => {
    const vault = createVault();
    for (let number = 1; number <= 130; number++) keep(vault, number);
    expect(vault.blocks.takeChanged()).toEqual([0, 1, 2]);
    keep(vault, 131);
    expect(vault.blocks.takeChanged()).toEqual([2]);
    vault.giveOut(vault.get('SECRET', 5) as KeptValue);
    expect(vault.blocks.takeChanged()).toEqual([0]);
    vault.blocks.giveBack([0, 2]);
    expect(vault.blocks.takeChanged()).toEqual([0, 2]);
  });

  test('are bounded: the oldest block goes first', () => {
    const vault = createVault();
    for (let number = 1; number <= 64 * 160 + 1; number++) keep(vault, number);
    expect([vault.blocks.first, vault.blocks.end]).toEqual([1, 161]);
    expect([kept(vault, 64), kept(vault, 65), kept(vault, 64 * 160 + 1)]).toEqual([
      undefined,
      'value 65',
      'value 10241',
    ]);
    expect(Math.min(...vault.blocks.takeChanged())).toBe(1);
  });

  test('that were given to tools are found literally, short ones not inside what they may be a part of', () => {
    const vault = createVault();
    const found = (text: string): string[] =>
      [...(vault.findOut?.(text) ?? [])].map(({ start, end }) => text.slice(start, end));
    for (const [index, text] of ['hunter2!', 'a.c-[1]\\', '1234', 'abc', 'a47', 'k47b', 'Rose'].entries())
      keep(vault, index + 1, text);
    expect(found('hunter2!')).toEqual([]);
    for (let number = 1; number <= 7; number++) vault.giveOut(vault.get('SECRET', number) as KeptValue);
    expect(found('xhunter2!x a.c-[1]\\ abcc-1 1234 12345 x1234 abc').toSorted()).toEqual([
      '1234',
      '1234',
      'a.c-[1]\\',
      'hunter2!',
    ]);
    expect(found('HUNTER2! xK47Bx Rose rose Roses a47').toSorted()).toEqual(['HUNTER2!', 'K47B', 'Rose']);
    expect(vault.outCount).toBe(7);
  });

  test('come from the conversation or not, and what a person writes later does', () => {
    const vault = createVault();
    const isSaid = (number: number): boolean | undefined => vault.get('SECRET', number)?.isSaid;
    for (const [index, origin] of (['person', 'conversation', 'tool'] as const).entries())
      vault.keep('SECRET', index + 1, { text: `v${index}`, values: ['v'], isNumber: false, origin });
    expect([isSaid(1), isSaid(2), isSaid(3)]).toEqual([true, true, false]);
    vault.keep('SECRET', 3, { text: 'v2', values: ['v'], isNumber: false, origin: 'conversation' });
    expect(isSaid(3)).toBe(false);
    expect([vault.noteSaid('SECRET', 3), vault.noteSaid('SECRET', 3), isSaid(3)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('the values of one call', () => {
  test('are found in any case, inside words and numbers, and without the signs between digits', () => {
    const vault = createVault();
    const sight = (number: number, label: string, text: string, values: string[]): KeptValue => {
      vault.keep(label, number, { text, values, isNumber: false, origin: 'person' });
      return vault.get(label, number) as KeptValue;
    };
    const find = findValuesOfCall([
      sight(1, 'SECRET', '4711', ['4711']),
      sight(2, 'SECRET', 'Rose', ['Rose']),
      sight(1, 'PHONE', '+1 415 555-2671', ['+14155552671']),
      sight(3, 'SECRET', 'xy', ['xy']),
    ]);
    const text = 'a4711a 947119 ROSEs 14155552671 xyz xy';
    expect([...(find?.(text) ?? [])].map(({ start, end }) => text.slice(start, end))).toEqual([
      '4711',
      '4711',
      'ROSE',
      '14155552671',
      'xy',
    ]);
    expect(findValuesOfCall([])).toBeUndefined();
  });
});
