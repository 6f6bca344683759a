import type { Random } from '../random.ts';
import { type PrintedId, readDigits, same, two, weighted } from './printed-id.ts';

/** Social Security Administration: no area 000, 666 or 9xx, no group 00, no serial 0000. */
export function ssn(random: Random): PrintedId {
  const area = String(1 + random.below(899))
    .padStart(3, '0')
    .replace('666', '667');
  const [group, serial] = [two(1 + random.below(99)), String(1 + random.below(9999)).padStart(4, '0')];
  return { printed: `${area}-${group}-${serial}`, bare: area + group + serial };
}

/** Internal Revenue Service: 9xx, groups 50–65, 70–88, 90–92, 94–99. */
export function itin(random: Random): PrintedId {
  const area = `9${random.of('0123456789', 2)}`;
  const group = String(random.pick([50, 58, 65, 70, 77, 88, 90, 92, 94, 99]));
  const serial = random.of('0123456789', 4);
  return { printed: `${area}-${group}-${serial}`, bare: area + group + serial };
}

/** Dihedral group of order ten: UIDAI's Aadhaar ends in a Verhoeff check digit. */
const dihedral = (a: number, b: number): number =>
  a < 5 ? (b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5)) : b < 5 ? 5 + ((a - b + 5) % 5) : (a - b + 5) % 5;
const permutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
const permuted = (digit: number, times: number): number =>
  Array.from({ length: times % 8 }).reduce<number>((at) => permutation[at] as number, digit);

export function aadhaar(random: Random): PrintedId {
  const payload = random.of('23456789', 1) + random.of('0123456789', 10);
  const sum = readDigits(payload)
    .reverse()
    .reduce((at, digit, index) => dihedral(at, permuted(digit, index + 1)), 0);
  const check = Array.from({ length: 10 }, (_, digit) => digit).find((digit) => dihedral(sum, digit) === 0);
  const bare = `${payload}${check}`;
  return { printed: bare.replace(/(.{4})(.{4})(.{4})/, '$1 $2 $3'), bare };
}

/** Income Tax Department: three letters, the kind of holder, first letter of the name, four digits, a letter. */
export const pan = (random: Random): PrintedId =>
  same(
    random.of('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 3) +
      random.of('PCHFATBLJG', 1) +
      random.of('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1) +
      String(1 + random.below(9999)).padStart(4, '0') +
      random.of('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1),
  );

/** GB 11643: division, date of birth, order, ISO 7064 MOD 11-2. */
export function residentId(random: Random): PrintedId {
  const division = random.pick(['110101', '310115', '440305', '510104', '330106', '420111']);
  const payload = `${division}${1940 + random.below(70)}${two(1 + random.below(12))}${two(1 + random.below(28))}${random.of('0123456789', 3)}`;
  const sum = weighted(payload, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return same(payload + '10X98765432'.charAt(sum % 11));
}

/** Receita Federal: two check digits, modulo 11. */
function brazilian(payload: string, weights: readonly number[]): string {
  const check = (digits: string, by: readonly number[]): string => {
    const rest = weighted(digits, by) % 11;
    return String(rest < 2 ? 0 : 11 - rest);
  };
  const first = check(payload, weights.slice(1));
  return payload + first + check(payload + first, weights);
}

export function cpf(random: Random): PrintedId {
  const bare = brazilian(random.of('0123456789', 9), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  return { printed: bare.replace(/(.{3})(.{3})(.{3})(.{2})/, '$1.$2.$3-$4'), bare };
}

export function cnpj(random: Random): PrintedId {
  const bare = brazilian(
    `${random.of('0123456789', 8)}000${random.of('123', 1)}`,
    [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
  );
  return { printed: bare.replace(/(.{2})(.{3})(.{3})(.{4})(.{2})/, '$1.$2.$3/$4-$5'), bare };
}
