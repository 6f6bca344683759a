import type { Random } from '../random.ts';
import { type PrintedId, readDigits, same, two, weighted } from './printed-id.ts';

/** HM Revenue & Customs: no D, F, I, Q, U, V at the front, no O second, some pairs never, A to D last. */
export function nino(random: Random): PrintedId {
  const front = random.pick(['AB', 'CE', 'JG', 'PW', 'SX', 'YL', 'HR', 'NA']);
  const bare = front + random.of('0123456789', 6) + random.of('ABCD', 1);
  return { printed: bare.replace(/(.{2})(.{2})(.{2})(.{2})(.)/, '$1 $2 $3 $4 $5'), bare };
}

/** NHS Data Dictionary: modulo 11 over nine digits; a rest that gives 10 is not issued. */
export function nhs(random: Random): PrintedId {
  const payload = random.of('4567', 1) + random.of('0123456789', 8);
  const check = (11 - (weighted(payload, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  if (check === 10) return nhs(random);
  const bare = `${payload}${check}`;
  return { printed: bare.replace(/(.{3})(.{3})(.{4})/, '$1 $2 $3'), bare };
}

/** Bundeszentralamt für Steuern: exactly one digit of the first ten comes twice, ISO 7064 MOD 11-10. */
export function taxId(random: Random): PrintedId {
  const order = Array.from('123456789')
    .map((digit) => ({ digit, at: random.below(1000) }))
    .sort((a, b) => a.at - b.at);
  const digits = order.map(({ digit }) => digit).slice(0, 8);
  digits.splice(2 + random.below(5), 0, digits[0] as string);
  const payload = `${digits.join('')}0`;
  let product = 10;
  for (const digit of readDigits(payload)) product = (((digit + product) % 10 || 10) * 2) % 11;
  const bare = `${payload}${(11 - product) % 10}`;
  return { printed: bare.replace(/(.{2})(.{3})(.{3})(.{3})/, '$1 $2 $3 $4'), bare };
}

/** Deutsche Rentenversicherung: area, date of birth, first letter, serial, check digit. */
export function pensionNumber(random: Random): PrintedId {
  const letter = random.of('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1);
  const front =
    random.pick(['12', '15', '65', '53', '40']) +
    two(1 + random.below(28)) +
    two(1 + random.below(12)) +
    two(random.below(100));
  const serial = two(random.below(100));
  const digits = front + two(letter.charCodeAt(0) - 64) + serial;
  const products = readDigits(digits).map(
    (digit, index) => digit * ([2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1][index] as number),
  );
  const check = products.reduce((sum, product) => sum + Math.floor(product / 10) + (product % 10), 0) % 10;
  const bare = `${front}${letter}${serial}${check}`;
  return { printed: bare.replace(/(.{2})(.{6})(.)(.{3})/, '$1 $2 $3 $4'), bare };
}

/** INSEE: sex, year, month, place, order, key modulo 97 (Corsica's 2A and 2B count as 19 and 18). */
export function nir(random: Random): PrintedId {
  const place = random.pick(['75', '13', '69', '2A', '2B', '33']);
  const payload =
    random.of('12', 1) +
    two(random.below(100)) +
    two(1 + random.below(12)) +
    place +
    random.of('0123456789', 3) +
    random.of('0123456789', 3);
  const key = 97n - (BigInt(payload.replace('2A', '19').replace('2B', '18')) % 97n);
  const bare = payload + String(key).padStart(2, '0');
  return { printed: bare.replace(/(.)(.{2})(.{2})(.{2})(.{3})(.{3})(.{2})/, '$1 $2 $3 $4 $5 $6 $7'), bare };
}

/** Ministerio del Interior: the number modulo 23 names the letter; X, Y, Z of foreigners count as 0, 1, 2. */
const spanishLetter = (number: string): string => 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(number) % 23);

export function dni(random: Random): PrintedId {
  const digits = random.of('0123456789', 8);
  const letter = spanishLetter(digits);
  return { printed: `${digits}-${letter}`, bare: digits + letter };
}

export function nie(random: Random): PrintedId {
  const [front, digits] = [random.below(3), random.of('0123456789', 7)];
  const letter = spanishLetter(`${front}${digits}`);
  return { printed: `${'XYZ'[front]}-${digits}-${letter}`, bare: `${'XYZ'[front]}${digits}${letter}` };
}

/** D.M. 23/12/1976: odd places count by a table of their own. */
const ODD_PLACES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

export function codiceFiscale(random: Random): PrintedId {
  const consonants = 'BCDFGLMNPRSTVZ';
  const day = 1 + random.below(28) + random.pick([0, 40]);
  const payload =
    random.of(consonants, 6) +
    two(random.below(100)) +
    random.of('ABCDEHLMPRST', 1) +
    two(day) +
    random.of('ABCDEFGHIL', 1) +
    random.of('0123456789', 3);
  const sum = Array.from(payload).reduce((total, character, index) => {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65;
    return total + (index % 2 === 0 ? (ODD_PLACES[value] as number) : value);
  }, 0);
  return same(payload + String.fromCharCode(65 + (sum % 26)));
}

/** Ministerstwo Cyfryzacji: date of birth with the century in the month, serial, modulo 10. */
export function pesel(random: Random): PrintedId {
  const [year, month, day] = [1930 + random.below(85), 1 + random.below(12), 1 + random.below(28)];
  const payload =
    two(year % 100) + two(month + (year >= 2000 ? 20 : 0)) + two(day) + random.of('0123456789', 4);
  const check = (10 - (weighted(payload, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10;
  return same(`${payload}${check}`);
}
