import { BIRTH_LABEL } from './detect/birth-date.ts';
import type { KeptValue } from './kept-value.ts';
import { foldedText } from './view.ts';

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
/** From so many digits on, a number is the same number without the signs between them. */
const NUMBER_DIGITS = 7;

/**
 * What a tool gets where a placeholder is all there is. A date is then what tools can read: people say "April 5, 1990". What can
 * be read in two ways stays as written.
 */
export function spellingAlone({ label, text, values: [value, other] }: KeptValue): string {
  return label === BIRTH_LABEL && other === undefined && value !== undefined && ISO_DATE.test(value)
    ? value
    : text;
}

/** Every way in which tools and guards are given a value, and a number without the signs between its digits; as views have them. */
export function listSpellings(value: KeptValue): string[] {
  const given = [value.text, spellingAlone(value)].map(foldedText);
  return [...new Set([...given, ...readDigits(value)])];
}

function readDigits({ text, values }: KeptValue): string[] {
  const folded = foldedText(text);
  const digits = folded.replace(/\D/g, '');
  if (digits.length < NUMBER_DIGITS || /\p{L}/u.test(folded)) return [];
  const normal = values.map((value) => value.replace(/\D/g, '')).filter((one) => one.endsWith(digits));
  return [...normal, digits];
}
