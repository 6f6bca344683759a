import type { Detector, Finding, Scope } from './finding.ts';
import { keyHas } from './key-words.ts';
import { isInsideWord } from './word-bounds.ts';

/** The countries of the IBAN registry (ISO 13616) and the structure of their account numbers: n digits, a letters, c both. */
const REGISTRY = [
  'AD8n12c AE19n AL8n16c AT16n AZ4a20c BA16n BE12n BG4a6n8c BH4a14c BR23n1a1c BY4c4n16c CH5n12c CR18n',
  'CY8n16c CZ20n DE18n DK14n DO4c20n EE16n EG25n ES20n FI14n FO14n FR10n11c2n GB4a14n GE2a16n GI4a15c',
  'GL14n GR7n16c GT4c20c HR17n HU24n IE4a14n IL19n IQ4a15n IS22n IT1a10n12c JO4a4n18c KW4a22c KZ3n13c',
  'LB4n20c LC4a24c LI5n12c LT16n LU3n13c LV4a13c LY21n MC10n11c2n MD20c ME18n MK3n10c2n MR23n',
  'MT4a5n18c MU4a19n3a NL4a10n NO11n PK4a16c PL24n PS4a21c PT21n QA4a21c RO4a16c RS18n SA2n18c',
  'SC4a20n3a SE20n SI15n SK20n SM1a10n12c ST21n SV4a20n TL19n TN20n TR5n1n16c UA6n19c VA18n VG4a16n',
  'XK16n',
];
const SETS: Readonly<Record<string, string>> = { n: '\\d', a: '[A-Z]', c: '[A-Z\\d]' };
const ACCOUNTS: ReadonlyMap<string, Account> = new Map(REGISTRY.join(' ').split(' ').map(readAccount));

interface Account {
  readonly length: number;
  readonly structure: RegExp;
}

function readAccount(entry: string): [country: string, account: Account] {
  const parts = [...entry.slice(2).matchAll(/(\d+)([nac])/g)];
  const length = parts.reduce((sum, [, count]) => sum + Number(count), 4);
  const structure = parts.map(([, count, set]) => `${SETS[set as string]}{${count}}`).join('');
  return [entry.slice(0, 2), { length, structure: new RegExp(`^${structure}$`) }];
}

const BEGINNING = /[A-Za-z]{2}[ \u00a0]?\d{2}/g;
const MEMBER = /[A-Za-z\d]/;
const SEPARATOR = /[ \u00a0\u2000-\u200a\u202f\u3000.\-‐-―]/;
const KEYS = new Set(['iban', 'ibans']);

/**
 * International bank account numbers: with the length and structure of their country and right check digits
 * (ISO 7064 MOD 97-10), in groups or in one piece. Under a key such as `iban`, also with wrong check digits.
 */
export const ibans: Detector = {
  label: 'IBAN',
  find(text: string, { key }: Scope): readonly Finding[] {
    const found: Finding[] = [];
    const isNamed = key !== undefined && keyHas(key, KEYS);
    let done = 0;
    for (const { index: start } of text.matchAll(BEGINNING)) {
      const end = start < done ? undefined : findEndOfIban(text, start, isNamed);
      if (end === undefined || isInsideWord(text, { start, end })) continue;
      found.push({ start, end, values: [compact(text.slice(start, end))] });
      done = end;
    }
    return found;
  },
};

const compact = (written: string): string => written.replace(/[^A-Za-z\d]/g, '').toUpperCase();

/** The end of the number that begins here, if it is one. */
function findEndOfIban(text: string, start: number, isNamed: boolean): number | undefined {
  const account = ACCOUNTS.get(text.slice(start, start + 2).toUpperCase());
  if (account === undefined || /\d/.test(text[start - 1] ?? '')) return undefined;
  const end = findEndOfMembers(text, start, account.length);
  if (end === undefined || /[A-Za-z\d]/.test(text[end] ?? '')) return undefined;
  const number = compact(text.slice(start, end));
  return account.structure.test(number.slice(4)) && (isNamed || passesMod97(number)) ? end : undefined;
}

/** The end of this many letters and digits, with at most two separators between any two. */
function findEndOfMembers(text: string, start: number, count: number): number | undefined {
  let members = 0;
  let separators = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at] as string;
    if (MEMBER.test(char)) {
      separators = 0;
      if (++members === count) return at + 1;
    } else if (!SEPARATOR.test(char) || ++separators > 2) return undefined;
  }
  return undefined;
}

/** ISO 7064 MOD 97-10: move the first four characters to the end; letters count as 10 to 35. */
function passesMod97(number: string): boolean {
  let rest = 0;
  for (const char of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
