import type { Finding, Scope } from './finding.ts';
import type { ThreadMemory } from './memory.ts';
import { covered } from './placeholders.ts';
import type { Redactor } from './redactor.ts';
import { spliced } from './splice.ts';
import { rangeInText, type View, viewsOf } from './view.ts';

/** Where a text stands. */
export interface TextPlace {
  readonly memory: ThreadMemory;
  readonly key: string | undefined;
  readonly isNumber: boolean;
  readonly asked: boolean;
}

/** A finding in the original text, with what decides between overlapping ones. */
interface Candidate extends Finding {
  readonly label: string;
  /** The value as a reader sees it: without the escapes it was written with. */
  readonly text: string;
  /** Lower wins among equally long ones: views with more escapes undone first, then the order of the detectors. */
  readonly rank: number;
}

const SHORTEST = 6;

/**
 * A text with everything that the redactor's detectors find replaced by placeholders. What is a placeholder already stays. Once
 * one value is replaced, another beside it may be found that looked like a part of a word: it is searched until nothing is
 * new, so that redacting twice is redacting once. Time grows with the text's length.
 */
export function redactText(text: string, redactor: Redactor, place: TextPlace): string {
  let before: string;
  let next = text;
  do {
    before = next;
    next = redactOnce(before, redactor, place);
  } while (next !== before);
  return next;
}

function redactOnce(text: string, redactor: Redactor, place: TextPlace): string {
  const known = place.memory.vault?.outPattern;
  if (text.length < SHORTEST && place.key === undefined && known === undefined) return text;
  const placed = redactor.placeholders.placed(text);
  for (const { label, number } of placed) if (label !== '') place.memory.reserve(label, number);
  const candidates = findAll(covered(text, placed), redactor, place);
  if (candidates.length === 0) return text;
  return spliced(text, merged(candidates, text), ({ start, end, label, values, text: value }) => {
    const isNumber = place.isNumber && end - start === text.length;
    const number = place.memory.numberOf(label, { text: value, values, isNumber });
    return redactor.placeholders.format(label, number);
  });
}

function scopeOf({ memory, key, isNumber, asked }: TextPlace): Scope {
  return { key, isNumber, asked, isBirthDate: memory.isBirthDate };
}

function findAll(text: string, redactor: Redactor, place: TextPlace): Candidate[] {
  const views = viewsOf(text);
  const deepest = views.at(-1) as View;
  const candidates: Candidate[] = [];
  for (const [level, view] of views.entries()) {
    for (const found of findIn(view, redactor, place)) {
      if (redactor.isAllowed(view.text.slice(found.start, found.end))) continue;
      const { start, end } = rangeInText(view, deepest, found);
      if (start >= end) continue;
      const rank = (views.length - level) * (redactor.detectors.length + 1) + found.rank;
      const isAsWritten = end - start === found.end - found.start;
      const value = isAsWritten ? text.slice(start, end) : view.text.slice(found.start, found.end);
      candidates.push({ ...found, start, end, rank, text: value });
    }
  }
  return candidates;
}

/** Everything found in one view: what tools were given, whatever stands around it, and what the detectors find. */
function findIn({ text }: View, { detectors }: Redactor, place: TextPlace): Array<Omit<Candidate, 'text'>> {
  const found: Array<Omit<Candidate, 'text'>> = [];
  const { vault } = place.memory;
  const scope = scopeOf(place);
  for (const match of vault?.outPattern === undefined ? [] : text.matchAll(vault.outPattern)) {
    const known = vault?.out(match[0]);
    if (known === undefined) continue;
    const { label, values } = known;
    found.push({ start: match.index, end: match.index + match[0].length, label, values, rank: 0 });
  }
  for (const [order, { label, find }] of detectors.entries()) {
    for (const { start, end, values } of find(text, scope)) {
      checkRange({ start, end, values }, text, label);
      found.push({ start, end, label, values, rank: order + 1 });
    }
  }
  return found;
}

function checkRange({ start, end, values }: Finding, text: string, label: string): void {
  const isRange =
    Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length;
  if (!isRange || values.length === 0)
    throw new RangeError(`The detector ${label} reported a range that is not in its text.`);
}

/** Overlapping findings become one, from the first's beginning to the last's end, named by the longest of them. */
function merged(candidates: Candidate[], text: string): Candidate[] {
  candidates.sort((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank);
  const result: Candidate[] = [];
  let group: Candidate[] = [];
  let groupEnd = -1;
  for (const candidate of candidates) {
    if (candidate.start >= groupEnd && group.length > 0) {
      result.push(joined(group, groupEnd, text));
      group = [];
    }
    group.push(candidate);
    groupEnd = Math.max(group.length === 1 ? 0 : groupEnd, candidate.end);
  }
  result.push(joined(group, groupEnd, text));
  return result;
}

function joined(group: readonly Candidate[], end: number, text: string): Candidate {
  const start = (group[0] as Candidate).start;
  const leader = group.reduce((best, one) => (compare(one, best) < 0 ? one : best));
  if (leader.start === start && leader.end === end) return leader;
  const value = text.slice(start, end);
  return { ...leader, start, end, values: [value], text: value };
}

function compare(a: Candidate, b: Candidate): number {
  return b.end - b.start - (a.end - a.start) || a.rank - b.rank;
}
