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
  replacement: (range: R) => string | undefined,
): string {
  let result = '';
  let from = 0;
  for (const range of ranges) {
    const next = replacement(range);
    if (next === undefined) continue;
    result += text.slice(from, range.start) + next;
    from = range.end;
  }
  return from === 0 ? text : result + text.slice(from);
}
