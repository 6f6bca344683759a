import type { Detector, Finding, Scope } from './finding.ts';
import type { ThreadMemory } from './memory.ts';
import { covered } from './placeholders.ts';
import type { Redactor } from './redactor.ts';
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
  if (text.length < SHORTEST && place.key === undefined) return text;
  const placed = redactor.placeholders.placed(text);
  for (const { label, number } of placed) if (label !== '') place.memory.reserve(label, number);
  const candidates = findAll(covered(text, placed), redactor, scopeOf(place));
  if (candidates.length === 0) return text;
  let result = '';
  let from = 0;
  for (const { start, end, label, values } of merged(candidates, text)) {
    result +=
      text.slice(from, start) + redactor.placeholders.format(label, place.memory.numberOf(label, values));
    from = end;
  }
  return result + text.slice(from);
}

function scopeOf({ memory, key, isNumber, asked }: TextPlace): Scope {
  return { key, isNumber, asked, isBirthDate: memory.isBirthDate };
}

function findAll(text: string, { detectors, isAllowed }: Redactor, scope: Scope): Candidate[] {
  const views = viewsOf(text);
  const deepest = views.at(-1) as View;
  const candidates: Candidate[] = [];
  for (let level = 0; level < views.length; level++) {
    const view = views[level] as View;
    for (let order = 0; order < detectors.length; order++) {
      const { label, find } = detectors[order] as Detector;
      for (const finding of find(view.text, scope)) {
        checkRange(finding, view.text, label);
        if (isAllowed(view.text.slice(finding.start, finding.end))) continue;
        const { start, end } = rangeInText(view, deepest, finding);
        if (start < end)
          candidates.push({
            start,
            end,
            label,
            values: finding.values,
            rank: (views.length - level) * detectors.length + order,
          });
      }
    }
  }
  return candidates;
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
  return { ...leader, start, end, values: [text.slice(start, end)] };
}

function compare(a: Candidate, b: Candidate): number {
  return b.end - b.start - (a.end - a.start) || a.rank - b.rank;
}
