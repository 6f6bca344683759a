import type { Kind } from '../kind.ts';
import type { Random } from '../random.ts';

/** Account numbers as the IBAN registry (ISO 13616) writes their structure: n digits, a capitals, c both. */
const registry: Readonly<Record<string, string>> = {
  AD: '8n12c',
  AE: '19n',
  AL: '8n16c',
  AT: '16n',
  AZ: '4a20c',
  BA: '16n',
  BE: '12n',
  BG: '4a6n8c',
  BH: '4a14c',
  BR: '23n1a1c',
  BY: '4c4n16c',
  CH: '5n12c',
  CR: '18n',
  CY: '8n16c',
  CZ: '20n',
  DE: '18n',
  DK: '14n',
  DO: '4c20n',
  EE: '16n',
  EG: '25n',
  ES: '20n',
  FI: '14n',
  FO: '14n',
  FR: '10n11c2n',
  GB: '4a14n',
  GE: '2a16n',
  GI: '4a15c',
  GL: '14n',
  GR: '7n16c',
  GT: '4c20c',
  HR: '17n',
  HU: '24n',
  IE: '4a14n',
  IL: '19n',
  IQ: '4a15n',
  IS: '22n',
  IT: '1a10n12c',
  JO: '4a4n18c',
  KW: '4a22c',
  KZ: '3n13c',
  LB: '4n20c',
  LC: '4a24c',
  LI: '5n12c',
  LT: '16n',
  LU: '3n13c',
  LV: '4a13c',
  LY: '21n',
  MC: '10n11c2n',
  MD: '20c',
  ME: '18n',
  MK: '3n10c2n',
  MR: '23n',
  MT: '4a5n18c',
  MU: '4a19n3a',
  NL: '4a10n',
  NO: '11n',
  PK: '4a16c',
  PL: '24n',
  PS: '4a21c',
  PT: '21n',
  QA: '4a21c',
  RO: '4a16c',
  RS: '18n',
  SA: '2n18c',
  SC: '4a20n3a',
  SE: '20n',
  SI: '15n',
  SK: '20n',
  SM: '1a10n12c',
  ST: '21n',
  SV: '4a20n',
  TL: '19n',
  TN: '20n',
  TR: '5n1n16c',
  UA: '6n19c',
  VA: '18n',
  VG: '4a16n',
  XK: '16n',
};
const alphabets = {
  n: '0123456789',
  a: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  c: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
} as const;

function makeAccount(random: Random, structure: string): string {
  return structure.replace(/(\d+)([nac])/g, (_part, count: string, set: 'n' | 'a' | 'c') =>
    random.of(alphabets[set], Number(count)),
  );
}

/** ISO 7064 MOD 97-10, over all characters at once. */
function checkDigits(country: string, account: string): string {
  const number = Array.from(`${account}${country}00`)
    .map((character) => Number.parseInt(character, 36))
    .join('');
  return String(98n - (BigInt(number) % 97n)).padStart(2, '0');
}

function iban(random: Random): string {
  const country = random.pick(Object.keys(registry));
  const account = makeAccount(random, registry[country] as string);
  return country + checkDigits(country, account) + account;
}

const inFours = (text: string, separator: string): string => (text.match(/.{1,4}/g) ?? []).join(separator);

export const ibanKinds: readonly Kind[] = [
  {
    name: 'IBAN',
    isPromised: true,
    sample: (random) => {
      const written = iban(random);
      return {
        value: random.pick([written, inFours(written, ' '), inFours(written, ' '), inFours(written, '-')]),
      };
    },
  },
];
