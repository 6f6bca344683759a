import type { Detector, Finding, Scope } from './finding.ts';
import { keyEndsIn, keyHas } from './key-words.ts';
import { labelBefore } from './label-before.ts';
import { type NationalIdForm, nationalIdForms } from './national-id-forms.ts';
import { ID_KEYS, isIdBefore } from './phone-words.ts';
import { WORD_LETTERS } from './word-bounds.ts';

const SHORTEST = 9;
const LONG = 14;
const SEPARATOR = '[ \\u00a0\\u2000-\\u200a\\u202f\\u3000.\\-/‐-―−]{0,2}';
/** No letter or digit may adjoin an id. */
const BEFORE = `(?<![${WORD_LETTERS}\\d_]|\\d[.,\\-/])`;
const BEHIND = `(?![${WORD_LETTERS}\\d_]|[.,\\-/]\\d)`;
/** After a label, other digits may follow: "SSN 123-45-6789 12/26". */
const BEHIND_LABELLED = `(?![${WORD_LETTERS}\\d_])`;
const BARE = /^\d+$/;

interface Search {
  readonly form: NationalIdForm;
  readonly unlabelled: RegExp;
  readonly labelled: RegExp;
  readonly isAnnounced: (text: string, offset: number) => boolean;
  readonly keys: ReadonlySet<string>;
}

const searches: readonly Search[] = nationalIdForms.map((form) => {
  const written = form.pattern.replace(/(?<!\[[^\]]*)-/g, SEPARATOR);
  return {
    form,
    unlabelled: new RegExp(`${BEFORE}${written}${BEHIND}`, 'gu'),
    labelled: new RegExp(`${BEFORE}${written}${BEHIND_LABELLED}`, 'giu'),
    isAnnounced: labelBefore(form.labels),
    keys: new Set(form.keys),
  };
});

/**
 * National ids of the United States, India, China, Brazil, Great Britain, Germany, France, Spain, Italy and Poland: after a label or
 * under a key that names them; without these, if a check digit or their form distinguishes them from other numbers.
 */
export const nationalIds: Detector = {
  label: 'NATIONAL_ID',
  find(text: string, scope: Scope): readonly Finding[] {
    if (text.length < SHORTEST || !/\d\D{0,3}\d/.test(text)) return [];
    return searches.flatMap((search) => findIds(search, text, scope));
  },
};

function findIds(
  { form, unlabelled, labelled, isAnnounced, keys }: Search,
  text: string,
  scope: Scope,
): Finding[] {
  const isNamed = scope.key !== undefined && keyHas(scope.key, keys);
  const found: Finding[] = [];
  for (const { index: start, 0: written } of text.matchAll(labelled)) {
    if (isNamed || isAnnounced(text, start))
      found.push({ ...makeFinding(start, written), isAnnounced: true });
  }
  const announced = new Set(found.map(({ start }) => start));
  for (const { index: start, 0: written } of text.matchAll(unlabelled)) {
    const id = compact(written);
    const range = { start, end: start + written.length };
    if (announced.has(start)) continue;
    if (form.unlabelled === 'grouped' && !isGrouped(text, range)) continue;
    if (!form.passes(id) || (BARE.test(written) && isOtherId(text, range, scope))) continue;
    found.push(makeFinding(start, written));
  }
  return found;
}

const compact = (written: string): string => written.replace(/[^A-Za-z\d]/g, '').toUpperCase();

function makeFinding(start: number, written: string): Finding {
  return { start, end: start + written.length, values: [compact(written)] };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Separators must be of one kind. Dots and slashes belong to versions, dates and paths; further groups beside it to a table. */
function isGrouped(text: string, { start, end }: Range): boolean {
  const separators = new Set(text.slice(start, end).match(/\D+/g));
  const [separator = ''] = separators;
  if (separators.size !== 1 || /[./]/.test(separator)) return false;
  const isInTable =
    /\d{2}\s{1,2}$/.test(text.slice(Math.max(0, start - 4), start)) ||
    /^\s{1,2}\d{2}/.test(text.slice(end, end + 4));
  return separator.trim() !== '' || !isInTable;
}

/** Whether the key or the words before it name other digits. A long number hardly ever passes the check by chance. */
function isOtherId(text: string, { start, end }: Range, { key }: Scope): boolean {
  if (key !== undefined && keyEndsIn(key, ID_KEYS)) return true;
  return end - start < LONG && isIdBefore(text, start);
}
