/** More ways than this, and a regular expression always gets a time limit (design §8.2). */
const MAX_WAYS = 1_000;

/** How many steps a search may take without a time limit: some milliseconds, where the engine has not compiled the pattern yet. */
const MAX_STEPS = 2_000_000;

const BACKREFERENCE = /^\\(?:[1-9]|k<)/;
const REPEAT = /^\{(\d+)(?:,(\d*))?\}/;

/**
 * How many characters a text may have for a valid regular expression to be run on it without a time limit: from each of them the
 * engine tries every way to match, each to its last step. None for a pattern with a backreference, a quantifier without an upper
 * bound around something that matches in more than one way (`(a+)+`), or more than 1,000 ways to match from one place (the product of
 * its alternatives and repeat ranges). Each other quantifier without an upper bound (`.*`) has as many ways as the text has characters.
 */
export function quickLength(source: string): number {
  const { ways, steps, free } = measureAlternatives({ source, at: 0 });
  if (ways > MAX_WAYS) return 0;
  return Math.floor((MAX_STEPS / (ways * Math.max(1, steps))) ** (1 / (free + 1)));
}

/** In how many ways a part of a pattern can match from one place, and how many steps the longest of them has at most. */
interface Size {
  readonly ways: number;
  readonly steps: number;
  /** How many parts may be of any length. */
  readonly free: number;
}

/** Where a reading of a regular expression has come to. */
interface Scan {
  readonly source: string;
  at: number;
}

function measureAlternatives(scan: Scan): Size {
  let ways = 0;
  let steps = 0;
  let free = 0;
  for (;;) {
    const sequence = measureSequence(scan);
    ways += sequence.ways;
    steps = Math.max(steps, sequence.steps);
    free = Math.max(free, sequence.free);
    if (scan.source[scan.at] !== '|') return { ways, steps, free };
    scan.at++;
  }
}

function measureSequence(scan: Scan): Size {
  let ways = 1;
  let steps = 0;
  let free = 0;
  while (scan.at < scan.source.length && !')|'.includes(scan.source[scan.at] ?? '')) {
    const term = measureTerm(scan);
    ways *= term.ways;
    steps += term.steps;
    free += term.free;
  }
  return { ways, steps, free };
}

function measureTerm(scan: Scan): Size {
  const { ways, steps, free } = measureAtom(scan);
  const { least, most } = repeatAt(scan);
  if (least === 1 && most === 1) return { ways, steps, free };
  if (most !== Number.POSITIVE_INFINITY) {
    const all = Math.max(1, steps) * Math.max(1, most);
    return { ways: (most - least + 1) * ways ** most, steps: all, free: free * most };
  }
  const isOneWay = ways === 1 && free === 0;
  return { ways: isOneWay ? 1 : most, steps: Math.max(1, steps) * Math.max(1, least), free: 1 };
}

function measureAtom(scan: Scan): Size {
  const { source, at } = scan;
  const char = source[at];
  if (char === '(') {
    scan.at = afterOpening(source, at);
    const size = measureAlternatives(scan);
    scan.at++;
    return size;
  }
  if (char === '[') scan.at = afterClass(source, at);
  else scan.at += char === '\\' ? 2 : 1;
  const isBackreference = char === '\\' && BACKREFERENCE.test(source.slice(at, at + 3));
  return { ways: isBackreference ? Number.POSITIVE_INFINITY : 1, steps: 1, free: 0 };
}

/** Behind `(`, `(?:`, `(?=`, `(?!`, `(?<=`, `(?<!` and `(?<name>`. */
function afterOpening(source: string, at: number): number {
  const opening = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:))?/.exec(source.slice(at));
  return at + (opening?.[0].length ?? 1);
}

/** Behind a class; of classes within classes (flag `v`) behind the inner one, so that the rest counts too. */
function afterClass(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === ']') return at + 1;
  }
  return source.length;
}

function repeatAt(scan: Scan): { least: number; most: number } {
  const rest = scan.source.slice(scan.at);
  const found = /^[*+?]/.exec(rest) ?? REPEAT.exec(rest);
  if (found === null) return { least: 1, most: 1 };
  scan.at += found[0].length;
  if (scan.source[scan.at] === '?') scan.at++;
  if (found[0] === '?') return { least: 0, most: 1 };
  if (found[1] === undefined) return { least: 0, most: Number.POSITIVE_INFINITY };
  const least = Number(found[1]);
  if (found[2] === undefined) return { least, most: least };
  return { least, most: found[2] === '' ? Number.POSITIVE_INFINITY : Number(found[2]) };
}
