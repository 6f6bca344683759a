import type { Random } from '../../random.ts';

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();

/** The alphabets that issuers write keys in, by the letter that stands for them in a template. */
const ALPHABETS: Readonly<Record<string, string>> = {
  A: UPPER + LOWER + DIGITS,
  l: LOWER + DIGITS,
  u: UPPER + DIGITS,
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  H: `${DIGITS}ABCDEF`,
  b: `${UPPER}${LOWER}${DIGITS}+/`,
  w: `${UPPER}${LOWER}${DIGITS}-_`,
  2: `${UPPER}234567`,
  x: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
};

const PART = /\{([A-Za-z2])(\d+)(?:-(\d+))?\}/g;

/**
 * A made-up key of a template: `{A36}` stands for 36 letters and digits, `{h8-12}` for 8 to 12 hexadecimal digits, `{uuid}` for a
 * UUID. Everything else stands for itself.
 */
export function madeKey(template: string, random: Random): string {
  return template
    .replaceAll('{uuid}', '{h8}-{h4}-4{h3}-a{h3}-{h12}')
    .replace(PART, (...[, alphabet, least, most]) => {
      const spread = most === undefined ? 0 : random.below(Number(most) - Number(least) + 1);
      return random.of(ALPHABETS[alphabet as string] as string, Number(least) + spread);
    });
}
