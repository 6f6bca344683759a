/** Check digits of national ids, by the issuers' published rules. Numbers come without separators, with capital letters. */

const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (digits.charCodeAt(index) - 48), 0);

const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
const rotated = (a: number, b: number): number =>
  a < 5 ? (b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5)) : b < 5 ? 5 + ((a - b) % 5) : (a - b + 5) % 5;

/** Verhoeff: Aadhaar. */
export function passesVerhoeff(digits: string): boolean {
  let check = 0;
  for (let index = 0; index < digits.length; index++) {
    let digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    for (let times = 0; times < index % 8; times++) digit = PERMUTATION[digit] as number;
    check = rotated(check, digit);
  }
  return check === 0;
}

/** ISO 7064 MOD 11-2: resident ids of China. */
export function passesMod11Of2(id: string): boolean {
  let rest = 0;
  for (const char of id.slice(0, -1)) rest = ((rest + Number(char)) * 2) % 11;
  return (rest + (id.endsWith('X') ? 10 : Number(id.slice(-1)))) % 11 === 1;
}

/** ISO 7064 MOD 11-10: German tax ids. */
export function passesMod11Of10(digits: string): boolean {
  let product = 10;
  for (const char of digits.slice(0, -1)) product = (((Number(char) + product) % 10 || 10) * 2) % 11;
  return (product + Number(digits.slice(-1))) % 10 === 1;
}

/** Brazil's two check digits: each one and the digits before it give a sum that is a multiple of 11. Letters count from `A` as 17. */
export function passesBrazilian(id: string, highest: 9 | 11): boolean {
  const checks = [2, 1].map((behind) => {
    const payload = id.slice(0, id.length - behind);
    let sum = 0;
    for (let index = 0; index < payload.length; index++) {
      const place = payload.length - 1 - index;
      sum += (payload.charCodeAt(index) - 48) * (2 + (place % (highest - 1)));
    }
    return sum % 11 < 2 ? 0 : 11 - (sum % 11);
  });
  return id.endsWith(checks.join('')) && !/^(.)\1*$/.test(id);
}

/** NHS numbers: the weighted sum of all ten digits is a multiple of 11. */
export const passesNhs = (digits: string): boolean =>
  weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0 && !/^(.)\1*$/.test(digits);

/** French social security numbers: the key is 97 minus the remainder by 97. Corsica's 2A and 2B count as 19 and 18. */
export const passesNir = (id: string): boolean => {
  const payload = Number(id.slice(0, -2).replace('2A', '19').replace('2B', '18'));
  return 97 - (payload % 97) === Number(id.slice(-2));
};

const SPANISH_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** Spanish ids: the remainder by 23 gives the letter. X, Y and Z of foreigners count as 0, 1 and 2. */
export const passesSpanish = (id: string): boolean =>
  SPANISH_LETTERS[
    Number(id.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))) % 23
  ] === id.slice(-1);

/** Polish PESEL: the weighted sum of all eleven digits ends in 0. */
export const passesPesel = (digits: string): boolean =>
  weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;

const ODD_PLACES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

/** Italian tax codes: characters in odd places count by a table, and the remainder by 26 gives the last letter. */
export function passesCodiceFiscale(code: string): boolean {
  let sum = 0;
  for (let index = 0; index < 15; index++) {
    const char = code.charCodeAt(index);
    const value = char < 65 ? char - 48 : char - 65;
    sum += index % 2 === 0 ? (ODD_PLACES[value] as number) : value;
  }
  return sum % 26 === code.charCodeAt(15) - 65;
}

const PENSION_WEIGHTS = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];

/** German pension insurance numbers: the letter counts as its two-digit place in the alphabet, products as their digit sums. */
export function passesPension(id: string): boolean {
  const digits = id
    .slice(0, -1)
    .replace(/[A-Z]/, (letter) => String(letter.charCodeAt(0) - 64).padStart(2, '0'));
  const sum = PENSION_WEIGHTS.reduce((total, weight, index) => {
    const product = weight * Number(digits[index]);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return sum % 10 === Number(id.slice(-1));
}

/** German tax ids: exactly one of the first ten digits occurs two or three times, the others at most once. */
export function hasOneRepeatedDigit(digits: string): boolean {
  const counts = new Map<string, number>();
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  return repeated.length === 1 && (repeated[0] as number) <= 3;
}
