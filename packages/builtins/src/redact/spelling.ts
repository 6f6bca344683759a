import { BIRTH_LABEL } from './detect/birth-date.ts';
import type { KeptValue } from './kept-value.ts';
import { foldedText, plainText } from './view.ts';

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
/** From this many digits on, a number stays the same number without its separators. */
const NUMBER_DIGITS = 7;

/**
 * The value for a tool if the argument is only the placeholder. A date then gets a form that tools can read, because people write
 * "April 5, 1990". A date with two readings stays as it was written.
 */
export function spellingAlone({ label, text, values: [value, other] }: KeptValue): string {
  return label === BIRTH_LABEL && other === undefined && value !== undefined && ISO_DATE.test(value)
    ? value
    : text;
}

/** Every spelling in which tools and guards get a value, and a number also without its separators. In the form of views. */
export function listSpellings(value: KeptValue): string[] {
  const given = [value.text, spellingAlone(value)].flatMap((text) => [foldedText(text), plainText(text)]);
  return [...new Set([...given, ...readDigits(value)])];
}

function readDigits({ text, values }: KeptValue): string[] {
  const folded = foldedText(text);
  const digits = folded.replace(/\D/g, '');
  if (digits.length < NUMBER_DIGITS || /\p{L}/u.test(folded)) return [];
  const normal = values.map((value) => value.replace(/\D/g, '')).filter((one) => one.endsWith(digits));
  return [...normal, digits];
}
