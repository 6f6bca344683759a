import { COVERED, type Finding, type Scope } from './detect/finding.ts';
import type { Origin } from './kept-value.ts';
import type { ThreadMemory } from './memory.ts';
import { fillsPiece, type Pieces } from './pieces.ts';
import { covered, type PlacedPlaceholder } from './placeholders.ts';
import type { Redactor } from './redactor.ts';
import { splicedInPieces } from './splice.ts';
import type { ValueFinder } from './value-finder.ts';
import { isPlain, makeViews, rangeInText, readRange, type View } from './view.ts';
import { findInWindows, isShort } from './windows.ts';

/** Who wrote the searched text. */
export interface Seen {
  readonly origin: Origin;
  /** Finds the values of the call that the text is about. */
  readonly findGiven?: ValueFinder | undefined;
}

/** The place of a text. */
export interface TextPlace {
  readonly memory: ThreadMemory;
  readonly seen: Seen;
  readonly key: string | undefined;
  readonly isNumber: boolean;
  readonly asked: boolean;
}

/** A finding in the original text, with what decides between overlapping findings. */
interface Candidate extends Finding {
  readonly label: string;
  /** The value as a reader sees it, without escapes. */
  readonly text: string;
  /** Of equally long findings, the lowest rank wins: first views with more escapes undone, then earlier detectors. */
  readonly rank: number;
}

const SHORTEST = 6;

/**
 * Replaces everything in a text that the redactor's detectors find by placeholders. Existing placeholders stay. After
 * one value is replaced, another one beside it may be found that looked like a part of a word. So it searches until nothing is
 * new, and redacting twice equals redacting once. The time grows with the text's length.
 */
export function* redactText(text: string, redactor: Redactor, place: TextPlace): Pieces<string> {
  if (isTooShort(text, place)) return text;
  let before: string;
  let next = text;
  do {
    before = next;
    next = yield* redactOnce(before, redactor, place);
  } while (next !== before);
  return next;
}

/** Whether nothing can be found in a text. */
export function isTooShort(text: string, place: Omit<TextPlace, 'isNumber' | 'asked'>): boolean {
  return text.length < SHORTEST && place.key === undefined && knownIn(place).length === 0;
}

function knownIn({ memory, seen }: Pick<TextPlace, 'memory' | 'seen'>): readonly ValueFinder[] {
  const { findGiven } = seen;
  const findOut = memory.vault?.findOut;
  if (findGiven === undefined && findOut === undefined) return NONE;
  return [findGiven, findOut].filter((find) => find !== undefined);
}

const NONE: readonly ValueFinder[] = [];

function* redactOnce(text: string, redactor: Redactor, place: TextPlace): Pieces<string> {
  const placed: PlacedPlaceholder[] = [];
  for (const one of redactor.placeholders.placed(text)) {
    if (one.label !== '') place.memory.reserve(one.label, one.number);
    placed.push(one);
    if (fillsPiece(0)) yield;
  }
  const candidates = yield* findAll(yield* covered(text, placed), redactor, place);
  if (candidates.length === 0) return text;
  const ranges = yield* merged(candidates, text);
  const replacements: string[] = [];
  for (const { start, end, label, values, text: value } of ranges) {
    const isNumber = place.isNumber && end - start === text.length;
    const number = place.memory.giveNumber(label, {
      text: value,
      values,
      isNumber,
      origin: place.seen.origin,
    });
    replacements.push(redactor.placeholders.format(label, number));
    if (fillsPiece(value.length)) yield;
  }
  return yield* splicedInPieces(text, ranges, (_, position) => replacements[position]);
}

function makeScope({ memory, key, isNumber, asked }: TextPlace): Scope {
  return { key, isNumber, asked, isBirthDate: memory.isBirthDate };
}

function* findAll(text: string, redactor: Redactor, place: TextPlace): Pieces<Candidate[]> {
  const views = isPlain(text) ? [{ text, read: text }] : yield* makeViews(text);
  const scope = makeScope(place);
  const candidates: Candidate[] = [];
  for (const [level, view] of views.entries()) {
    const above = (views.length - level) * (redactor.detectors.length + 1);
    const searched = { view, deepest: views.at(-1) as View, text, isAllowed: redactor.isAllowed };
    for (const find of knownIn(place)) {
      for (const { start, end, value } of find(view.text)) {
        const { label, values } = value;
        addCandidates(candidates, { start, end, label, values, rank: above }, searched);
        if (fillsPiece(0)) yield;
      }
    }
    for (const [order, detector] of redactor.detectors.entries()) {
      const { label, isExact } = detector;
      const findings = isShort(view.text, detector)
        ? detector.find(view.text, scope)
        : yield* findInWindows(detector, view.text, scope);
      for (const finding of findings) {
        checkRange(finding, view.text, label);
        const { start, end, meant, isAnnounced } = finding;
        const values = isExact ? [meant ?? readRange(view, start, end)] : finding.values;
        const rank = isAnnounced === true ? above : above + order + 1;
        addCandidates(candidates, { ...finding, label, values, rank }, searched);
        if (fillsPiece(0)) yield;
      }
    }
  }
  return candidates;
}

/** The place of a finding. */
interface Searched {
  readonly view: View;
  readonly deepest: View;
  readonly text: string;
  readonly isAllowed: Redactor['isAllowed'];
}

/**
 * Adds a finding. An existing placeholder is never part of a value: if a finding has one inside, the texts before and after it
 * become values of their own.
 */
function addCandidates(candidates: Candidate[], found: Omit<Candidate, 'text'>, searched: Searched): void {
  const { text } = searched.view;
  const written = text.slice(found.start, found.end);
  if (!written.includes(COVERED)) {
    addCandidate(candidates, found, searched);
    return;
  }
  for (const { index, 0: part } of written.matchAll(BESIDE_COVERED)) {
    if (!SAYS_SOMETHING.test(part)) continue;
    const start = found.start + index;
    const end = start + part.length;
    const { meant: _, ...rest } = found;
    addCandidate(
      candidates,
      { ...rest, start, end, values: [readRange(searched.view, start, end)] },
      searched,
    );
  }
}

const BESIDE_COVERED = new RegExp(`(?=[^\\s${COVERED}])[^${COVERED}]*[^\\s${COVERED}]`, 'gu');
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

function addCandidate(
  candidates: Candidate[],
  found: Omit<Candidate, 'text'>,
  { view, deepest, text, isAllowed }: Searched,
): void {
  const written = readRange(view, found.start, found.end);
  if (isAllowed(view.text.slice(found.start, found.end)) || isAllowed(written)) return;
  const { start, end } = rangeInText(view, deepest, found);
  if (start >= end) return;
  const isAsWritten = end - start === found.end - found.start;
  const asWritten = isAsWritten ? text.slice(start, end) : written;
  candidates.push({ ...found, start, end, text: found.meant ?? asWritten });
}

function checkRange({ start, end, values }: Finding, text: string, label: string): void {
  const isRange =
    Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length;
  if (!isRange || values.length === 0)
    throw new RangeError(`The detector ${label} reported a range that is not in its text.`);
}

/** Merges overlapping findings into one, from the start of the first to the end of the last, with the name of the longest. */
function* merged(candidates: readonly Candidate[], text: string): Pieces<Candidate[]> {
  const result: Candidate[] = [];
  let group: Candidate[] = [];
  let groupEnd = -1;
  for (const candidate of yield* sorted(candidates)) {
    if (candidate.start >= groupEnd && group.length > 0) {
      result.push(joined(group, groupEnd, text));
      group = [];
      if (fillsPiece(0)) yield;
    }
    group.push(candidate);
    groupEnd = Math.max(group.length === 1 ? 0 : groupEnd, candidate.end);
  }
  result.push(joined(group, groupEnd, text));
  return result;
}

/** How much of a text is sorted at once. */
const STRETCH = 16_384;

function* sorted(candidates: readonly Candidate[]): Pieces<Candidate[]> {
  const stretches = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    const stretch = Math.floor(candidate.start / STRETCH);
    const known = stretches.get(stretch);
    if (known === undefined) stretches.set(stretch, [candidate]);
    else known.push(candidate);
  }
  const result: Candidate[] = [];
  for (const stretch of [...stretches.keys()].sort((a, b) => a - b)) {
    const known = stretches.get(stretch) as Candidate[];
    known.sort((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank);
    for (const candidate of known) result.push(candidate);
    if (fillsPiece(STRETCH)) yield;
  }
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
