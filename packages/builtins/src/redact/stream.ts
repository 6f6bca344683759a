import type { StreamText } from '@spec/hooks';
import { birthLabels } from './detect/birth-labels.ts';
import { type DateOrder, datesIn } from './detect/dates.ts';
import { COVERED } from './detect/finding.ts';
import { findSecretOpening } from './detect/secret-openings.ts';
import type { RedactKind } from './kinds.ts';
import { createMemory } from './memory.ts';
import { atOnce } from './pieces.ts';
import type { Redactor } from './redactor.ts';
import { redactText } from './text.ts';
import { makeViews, type View } from './view.ts';

/** The length of the longest usual value without quotes, with the words around it that decide on it. */
export const HOLD_BACK = 128;
/** How far before the last word a value may begin: an address with a quoted name, a number in groups. */
const BEFORE_WORD = 112;

/** What is known of a text while it grows. */
export interface StreamSource {
  readonly redactor: Redactor;
  readonly kinds: readonly RedactKind[];
  readonly order: DateOrder;
}

/**
 * Returns the part of a text that `redact` leaves as it is, however the text goes on: up to the first value, and up to the first place after
 * which only the whole text can be judged. So this knows nothing of a thread, its placeholders or its known values.
 *
 * S1 A date with a year waits for the whole text: later words may call it a date of birth, and then it is one everywhere.
 * S2 So does text after a label of a date of birth or of a secret: a list, a table, a quoted text or a key may follow.
 * S3 So does a text that begins like JSON: its keys count once it is complete.
 * S4 The last word and the text shortly before it may become a value. Invisible and escaped characters do not count in this distance.
 */
export function makeStream({ redactor, kinds, order }: StreamSource): StreamText {
  const finders: ((text: string) => number | undefined)[] = [];
  if (kinds.includes('secret')) finders.push(findSecretOpening);
  if (kinds.includes('date_of_birth')) finders.push((text) => findBirthOpening(text, order));
  return (text) => {
    if (MAY_BECOME_JSON.test(text)) return '';
    const known = coverPlaceholders(text, redactor);
    const ends = atOnce(makeViews(known)).map((view) => findEnd(view, text.length, finders));
    return text.slice(0, Math.min(findFirstValue(text, redactor), ...ends));
  };
}

/** An object, a list, or a text that is a single JSON string so far. */
const MAY_BECOME_JSON =
  /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:["{[\]\d-]|true|false|null|$)|"(?:[^"\\\n]|\\[^\n]){0,100000}(?:\\?$|"\s*$))/;

function coverPlaceholders(text: string, { placeholders }: Redactor): string {
  let known = '';
  let from = 0;
  for (const { start, end } of placeholders.placed(text)) {
    known += text.slice(from, start) + COVERED.repeat(end - start);
    from = end;
  }
  return known + text.slice(from);
}

function findFirstValue(text: string, redactor: Redactor): number {
  const memory = createMemory({ writer: 'stream', mark: (label, value) => `${label}\0${value}` });
  const place = {
    memory,
    seen: { origin: 'conversation' },
    key: undefined,
    isNumber: false,
    asked: false,
  } as const;
  const redacted = atOnce(redactText(text, redactor, place));
  if (redacted === text) return text.length;
  let at = 0;
  while (text.charCodeAt(at) === redacted.charCodeAt(at)) at++;
  return at;
}

/** The end of the settled part of a view, as an offset in its original text. */
function findEnd(
  view: View,
  length: number,
  finders: readonly ((text: string) => number | undefined)[],
): number {
  const { text, starts } = view;
  const ends = [text.length - HOLD_BACK, lastWord(text) - BEFORE_WORD];
  for (const find of finders) ends.push(find(text) ?? text.length);
  const end = Math.max(0, Math.min(...ends));
  return starts === undefined ? end : (starts[end] ?? length);
}

/** The start of the last word, including the spaces after it. Words of scripts that do not separate words have no part in it. */
function lastWord(text: string): number {
  let at = text.length;
  while (at > 0 && /[^\S\ufeff]/.test(text[at - 1] as string)) at--;
  while (at > 0 && WORD.test(text[at - 1] as string)) at--;
  return at;
}
const WORD = /[^\s\p{Lo}、。，！？：；「」]|\ufeff/u;

/** The first label of a date of birth, or the first date that may turn out to be one. */
function findBirthOpening(text: string, order: DateOrder): number | undefined {
  const label = birthLabels(text)[0]?.start;
  const date = datesIn(text, order).find(({ days }) => days.some((day) => !day.startsWith('--')))?.start;
  return label === undefined || date === undefined ? (label ?? date) : Math.min(label, date);
}
