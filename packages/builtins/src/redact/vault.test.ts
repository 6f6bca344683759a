import { describe, expect, test } from 'vitest';
import { createVault, type KeptValue, type Vault } from './vault.ts';

const keep = (vault: Vault, number: number, text: string = `value ${number}`): boolean =>
  vault.keep('SECRET', number, { text, values: [text], isNumber: false });
const kept = (vault: Vault, number: number): string | undefined => vault.get('SECRET', number)?.text;

describe('the values of a thread', () => {
  test('stay as they were first met', () => {
    const vault = createVault();
    expect([keep(vault, 1, 'Anna'), keep(vault, 1, 'ANNA')]).toEqual([true, false]);
    expect([kept(vault, 1), kept(vault, 2)]).toEqual(['Anna', undefined]);
  });

  test('are numbers until one of them was met as text', () => {
    const vault = createVault();
    vault.keep('CARD', 1, { text: '42', values: ['42'], isNumber: true });
    expect(vault.get('CARD', 1)?.isNumber).toBe(true);
    expect(vault.keep('CARD', 1, { text: '4 2', values: ['42'], isNumber: false })).toBe(true);
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

  test('that were given to tools are found literally, short ones not inside words', () => {
    const vault = createVault();
    const found = (text: string): string[] =>
      vault.outPattern === undefined ? [] : (text.match(vault.outPattern) ?? []);
    for (const [index, text] of ['hunter2!', 'a.c-[1]\\', '1234', 'abc'].entries())
      keep(vault, index + 1, text);
    expect(found('hunter2!')).toEqual([]);
    for (const number of [1, 2, 3, 4]) vault.giveOut(vault.get('SECRET', number) as KeptValue);
    expect(found('xhunter2!x a.c-[1]\\ abcc-1 1234 12345 x1234 abc')).toEqual([
      'hunter2!',
      'a.c-[1]\\',
      '1234',
    ]);
    expect(vault.out('1234')?.number).toBe(3);
  });
});
