/** Adjacent digits. */
export interface DigitGroup {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  /** The text between this group and the next of its run; empty after the last. */
  behind: string;
}

const GROUP = /\d+/g;
const LONGEST_SEPARATOR = 5;
/** A longer run is split into parts. They overlap by more groups than any number has digits. */
const LONGEST_RUN = 500;
const OVERLAP = 20;

/**
 * Groups of digits with only separators between them. Parts of a very long run overlap, so after a finding the caller continues behind it.
 *
 * @param separator matches any text allowed between two groups of one number
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
