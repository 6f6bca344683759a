import { findBirthColumns } from './birth-columns.ts';
import {
  type BirthLabel,
  birthLabels,
  connects,
  connectsBackwards,
  continues,
  isBirthKey,
} from './birth-labels.ts';
import { type DateOrder, datesIn, type WrittenDate } from './dates.ts';
import type { Detector, Finding, Scope } from './finding.ts';
import { COVERED } from './finding.ts';

/** An answer to "what is your date of birth" has little other text, or a date long past. */
const SHORT_ANSWER = 40;
const LONG_PAST_YEARS = 10;

export const BIRTH_LABEL = 'DATE_OF_BIRTH';

/**
 * Dates of birth: the value of a key such as `dob`, a date that nearby words call one, a date that answers a
 * question for one, and any spelling of a date already known in the thread as one.
 */
export function birthDates(order: DateOrder): Detector {
  return {
    label: BIRTH_LABEL,
    find(text: string, scope: Scope): readonly Finding[] {
      if (scope.key !== undefined && isBirthKey(scope.key)) return underKey(text, order);
      const labels = birthLabels(text);
      if (labels.length === 0 && !scope.asked && scope.isBirthDate === undefined) return [];
      if (!/\d/.test(text)) return [];
      const dates = datesIn(text, order);
      const { headings, cells } = findBirthColumns(text, labels);
      const others = labels.filter((label) => !headings.has(label));
      const labelled = labelledDates(text, others, dates);
      addDatesIn(cells, dates, labelled);
      return dates
        .filter((date) => labelled.has(date) || isKnown(date, scope) || (scope.asked && isAnswer(text, date)))
        .map((date) => makeFinding(text, date));
    },
  };
}

/** Whether a text with covered placeholders asks for a date of birth: it names one, and no placeholder follows the last such words. */
export function asksForBirthDate(text: string): boolean {
  const last = birthLabels(text).at(-1);
  return last !== undefined && !text.slice(last.end, last.end + 80).includes(COVERED);
}

function underKey(text: string, order: DateOrder): readonly Finding[] {
  const bare = text.replaceAll(COVERED, '');
  if (!/\d/.test(bare)) return [];
  const dates = datesIn(text, order);
  if (dates.length === 0 && bare === text) return [{ start: 0, end: text.length, values: [text.trim()] }];
  const whole = dates.length === 1 && text.length <= SHORT_ANSWER && bare === text;
  if (whole) return [{ ...makeFinding(text, dates[0] as WrittenDate), start: 0, end: text.length }];
  return dates.map((date) => makeFinding(text, date));
}

function makeFinding(text: string, { start, end, days }: WrittenDate): Finding {
  return { start, end, values: days.length > 0 ? days : [text.slice(start, end)] };
}

function labelledDates(
  text: string,
  labels: readonly BirthLabel[],
  dates: readonly WrittenDate[],
): Set<WrittenDate> {
  const labelled = new Set<WrittenDate>();
  let next = 0;
  for (const label of labels) {
    while (next < dates.length && (dates[next] as WrittenDate).start < label.end) next++;
    const after = dates[next];
    if (after !== undefined && connects(text.slice(label.end, after.start))) {
      addList({ text, dates, first: next, label, labelled });
      continue;
    }
    const before = dates[next - 1];
    if (
      before !== undefined &&
      before.end <= label.start &&
      connectsBackwards(text.slice(before.end, label.start))
    )
      labelled.add(before);
  }
  return labelled;
}

/** Both lists are in order in the text. */
function addDatesIn(
  cells: ReturnType<typeof findBirthColumns>['cells'],
  dates: readonly WrittenDate[],
  labelled: Set<WrittenDate>,
): void {
  let next = 0;
  for (const cell of cells) {
    while (next < dates.length && (dates[next] as WrittenDate).start < cell.start) next++;
    const date = dates[next];
    if (date !== undefined && date.end <= cell.end) labelled.add(date);
  }
}

interface List {
  readonly text: string;
  readonly dates: readonly WrittenDate[];
  readonly first: number;
  readonly label: BirthLabel;
  readonly labelled: Set<WrittenDate>;
}

/** The date after a label. After a plural or a heading, also the dates that follow it in a list. */
function addList({ text, dates, first, label, labelled }: List): void {
  let date = dates[first] as WrittenDate;
  labelled.add(date);
  if (!label.isPlural && !text.slice(label.end, date.start).includes('\n')) return;
  for (const following of dates.slice(first + 1)) {
    if (!continues(text.slice(date.end, following.start))) return;
    labelled.add(following);
    date = following;
  }
}

function isKnown({ days }: WrittenDate, { isBirthDate }: Scope): boolean {
  return isBirthDate !== undefined && days.some((day) => !day.startsWith('--') && isBirthDate(day));
}

function isAnswer(text: string, { start, end, days }: WrittenDate): boolean {
  const year = Number(days[0]?.slice(0, 4));
  if (days.length === 0 || !(year >= 1850) || year > new Date().getUTCFullYear()) return false;
  return text.length - (end - start) <= SHORT_ANSWER || new Date().getUTCFullYear() - year >= LONG_PAST_YEARS;
}
