/** Digits that nothing parts. */
export interface DigitGroup {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  /** What stands between this group and the next of its run; nothing behind the last. */
  behind: string;
}

const GROUP = /\d+/g;
const LONGEST_SEPARATOR = 5;
/** A longer run is given in parts that overlap by more groups than any number has digits. */
const LONGEST_RUN = 500;
const OVERLAP = 20;

/**
 * Groups of digits that only separators part. Parts of a very long run overlap, so who finds a value goes on behind it.
 *
 * @param separator matches all that may stand between two groups of one number
 */
export function* digitRuns(text: string, separator: RegExp): Generator<DigitGroup[]> {
  let run: DigitGroup[] = [];
  for (const { index: start, 0: digits } of text.matchAll(GROUP)) {
    const last = run.at(-1);
    if (last !== undefined && !continuesRun(text, last, { start, separator })) {
      yield run;
      run = [];
    } else if (run.length >= LONGEST_RUN) {
      yield run;
      run = run.slice(-OVERLAP);
    }
    run.push({ start, end: start + digits.length, digits, behind: '' });
  }
  if (run.length > 0) yield run;
}

function continuesRun(
  text: string,
  last: DigitGroup,
  { start, separator }: { readonly start: number; readonly separator: RegExp },
): boolean {
  if (start - last.end > LONGEST_SEPARATOR) return false;
  const between = text.slice(last.end, start);
  if (!separator.test(between)) return false;
  last.behind = between;
  return true;
}
