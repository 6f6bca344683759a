import { atOnce, type Pieces } from './pieces.ts';

/** A range of a text, `end` exclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * A text with ranges of it replaced, from the first to the last.
 *
 * @param ranges in their order in the text, none over another
 * @param replacement what takes a range's place; `undefined` leaves it as it is
 */
export function spliced<R extends Range>(
  text: string,
  ranges: readonly R[],
  replacement: (range: R, position: number) => string | undefined,
): string {
  return atOnce(splicedInPieces(text, ranges, replacement));
}

/** So many parts are joined at once. */
const PARTS = 2048;

/** As {@link spliced}, for long lists of ranges. */
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

/** One item after the other, so that a long list can be left in its middle. */
export function* mapped<T, U>(items: Iterable<T>, next: (item: T) => U): Generator<U> {
  for (const item of items) yield next(item);
}
