import { atOnce, type Pieces } from './pieces.ts';

/** A range of a text, `end` exclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces ranges of a text, from first to last.
 *
 * @param ranges in order in the text, without overlaps
 * @param replacement the text for a range; `undefined` leaves the range as it is
 */
export function spliced<R extends Range>(
  text: string,
  ranges: readonly R[],
  replacement: (range: R, position: number) => string | undefined,
): string {
  return atOnce(splicedInPieces(text, ranges, replacement));
}

/** How many parts are joined at once. */
const PARTS = 2048;

/** Like {@link spliced}, for long lists of ranges. */
export function* splicedInPieces<R extends Range>(
  text: string,
  ranges: readonly R[],
  replacement: (range: R, position: number) => string | undefined,
): Pieces<string> {
  const stretches: string[] = [];
  let parts: string[] = [];
  let from = 0;
  for (const [position, range] of ranges.entries()) {
    const next = replacement(range, position);
    if (next === undefined) continue;
    parts.push(text.slice(from, range.start), next);
    from = range.end;
    if (parts.length < PARTS) continue;
    stretches.push(parts.join(''));
    parts = [];
    yield;
  }
  return from === 0 ? text : stretches.join('') + parts.join('') + text.slice(from);
}

/** Maps one item at a time, so that the work can stop in the middle of a long list. */
export function* mapped<T, U>(items: Iterable<T>, next: (item: T) => U): Generator<U> {
  for (const item of items) yield next(item);
}
