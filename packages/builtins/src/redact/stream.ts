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

/** As long as the longest usual value without quotes, with the words around it that decide on it. */
export const HOLD_BACK = 128;
/** So far a value may begin before the last word: an address with its name in quotes, a number in groups. */
const BEFORE_WORD = 112;

/** What can be told of a text while it grows. */
export interface StreamSource {
  readonly redactor: Redactor;
  readonly kinds: readonly RedactKind[];
  readonly order: DateOrder;
}

/**
 * Gives of a text what `redact` leaves as it is, whatever the text may still become: up to the first value, and up to the first place from
 * which on only the whole text can be judged. So nothing here knows of a thread, of its placeholders and its known values.
 *
 * S1 A date with its year waits for the whole text: words further down may call it a date of birth, and then it is one everywhere.
 * S2 So does what stands behind a label of a date of birth or of a secret, as a list, a table, a quoted text or a key may follow.
 * S3 So does a text that begins as JSON: its keys count once it is complete.
 * S4 The last word, and what stands shortly before it, may become a value. What is not drawn and what is escaped makes no distance.
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

/** An object, a list, or a text that is one JSON string up to now. */
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

/** Where a view ends that is settled, as an offset of the text it is of. */
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

/** Where the last word begins, with the spaces behind it. Scripts that do not part their words are no part of one. */
function lastWord(text: string): number {
  let at = text.length;
  while (at > 0 && /[^\S\ufeff]/.test(text[at - 1] as string)) at--;
  while (at > 0 && WORD.test(text[at - 1] as string)) at--;
  return at;
}
const WORD = /[^\s\p{Lo}、。，！？：；「」]|\ufeff/u;

/** The first label of a date of birth, or date that one may be said of. */
function findBirthOpening(text: string, order: DateOrder): number | undefined {
  const label = birthLabels(text)[0]?.start;
  const date = datesIn(text, order).find(({ days }) => days.some((day) => !day.startsWith('--')))?.start;
  return label === undefined || date === undefined ? (label ?? date) : Math.min(label, date);
}
