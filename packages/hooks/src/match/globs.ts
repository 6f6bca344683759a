import { classEnd, expandBraces, type RefuseGlob } from './braces.ts';
import { badMatcher, checkedPattern } from './limits.ts';
import { ANY_RUN, fits, type PatternStep } from './sequence.ts';

/** A compiled path glob: a folder or file, and a pattern for the names below it. */
export interface PathGlob {
  /** It begins with `**`: it applies anywhere, also outside the working folder. */
  readonly isAnywhere: boolean;
  /** The part before the first wildcard: absolute, relative to the working folder (`''` for the folder itself), or `~` and a path below it. */
  readonly base: string;
  /** Whether the names below the base fit. */
  readonly fitsBelow: (names: readonly string[]) => boolean;
}

const WILD = /[*?[\]()\\]/;
const KNOWN = 'Globs know *, **, ?, [a-z], [!a-z], {a,b}, and \\ before a character that is meant as itself.';

/**
 * Compiles a path glob into one for each of its `{a,b}` alternatives. We do not use regular expressions: they can take seconds on a path
 * that a model wrote. Here the time is at most the product of the lengths of the glob and the path.
 *
 * @throws {DefinitionError} `bad_matcher`
 */
export function pathGlobs(glob: string, clause: string): PathGlob[] {
  const source = checkedPattern(glob, clause);
  const refuse: RefuseGlob = (problem, remedy = KNOWN) =>
    badMatcher(clause, `the glob "${source}" ${problem}`, remedy);
  return expandBraces(source, refuse).map((alternative) => pathGlob(alternative, refuse));
}

function pathGlob(glob: string, refuse: RefuseGlob): PathGlob {
  if (glob === '') throw refuse('has an alternative that is empty', 'Name a file or a folder.');
  if (/^~[^/]/.test(glob))
    throw refuse(
      'begins with "~" and a name',
      'Write the folder out; "~/" is the home folder, "./~" a name that begins so.',
    );
  if (glob.length > 1 && glob.endsWith('/'))
    throw refuse('ends with "/"', 'Write "**" after it for all that is in the folder.');
  const segments = glob.split('/');
  const wild = segments.findIndex((segment) => WILD.test(segment));
  const literal = wild === -1 ? segments : segments.slice(0, wild);
  const steps = wild === -1 ? [] : segments.slice(wild).map((segment) => segmentStep(segment, refuse));
  return {
    isAnywhere: segments[0] === '**',
    base: literal.join('/') || (glob.startsWith('/') ? '/' : ''),
    fitsBelow: (names) => fits(steps, names),
  };
}

function segmentStep(segment: string, refuse: RefuseGlob): PatternStep<string> {
  if (segment === '**') return ANY_RUN;
  if (segment.includes('**'))
    throw refuse('has "**" beside other characters', 'Let it stand alone: "**/*.ts".');
  if (segment === '' || segment === '.' || segment === '..') {
    throw refuse(
      `has "${segment}" between slashes after a wildcard`,
      'Paths have none when they are compared; leave it out.',
    );
  }
  const steps = nameSteps(Array.from(segment), refuse);
  if (steps.every((step) => typeof step === 'string')) return steps.join('');
  return (name) => fits(steps, Array.from(name));
}

/** One step for each code point of a name. */
function nameSteps(chars: readonly string[], refuse: RefuseGlob): PatternStep<string>[] {
  const steps: PatternStep<string>[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string;
    if (char === '*') steps.push(ANY_RUN);
    else if (char === '?') steps.push(() => true);
    else if (char === '[') {
      const end = classEnd(chars, at, refuse);
      steps.push(classStep(chars.slice(at + 1, end), refuse));
      at = end;
    } else if (char === '\\') {
      at++;
      if (chars[at] === undefined) throw refuse('has a "\\" with nothing after it in its segment');
      steps.push(chars[at] as string);
    } else if ('()]'.includes(char)) throw refuse(`has "${char}", which has no meaning there`);
    else steps.push(char);
  }
  return steps;
}

/** `[a-z_]`, or `[!a-z_]` and `[^a-z_]` for all other characters. */
function classStep(body: readonly string[], refuse: RefuseGlob): (char: string) => boolean {
  const isNegated = body[0] === '!' || body[0] === '^';
  const chars = (isNegated ? body.slice(1) : body).filter(
    (char, at, all) => char !== '\\' || all[at - 1] === '\\',
  );
  if (chars.includes('['))
    throw refuse('has "[" inside a class', 'Name the characters; [[:alpha:]] is [A-Za-z].');
  const ranges: [number, number][] = [];
  for (let at = 0; at < chars.length; at++) {
    const isRange = chars[at + 1] === '-' && at + 2 < chars.length;
    const range: [number, number] = [readCharCode(chars[at]), readCharCode(chars[isRange ? at + 2 : at])];
    if (range[0] > range[1])
      throw refuse('has a range that runs backwards', 'Write the lower character first.');
    ranges.push(range);
    if (isRange) at += 2;
  }
  return (char) =>
    ranges.some(([from, to]) => readCharCode(char) >= from && readCharCode(char) <= to) !== isNegated;
}

function readCharCode(char = ''): number {
  return char.codePointAt(0) ?? 0;
}
