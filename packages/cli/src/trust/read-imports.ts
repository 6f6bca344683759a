/** What a module imports, as far as its text shows. */
export interface ReadImports {
  readonly names: readonly string[];
  /** Whether it imports something whose name is known only when it runs. */
  readonly isUnclear: boolean;
}

/**
 * Reads what a module of JavaScript or TypeScript imports, whatever comments stand in between. What only looks like an import counts, too. The
 * time that it takes grows with the length of the text alone: nobody has looked at the module yet.
 */
export function readImports(text: string): ReadImports {
  const { found, loaders } = readWords(text, WORD);
  const own = [...new Set(loaders)].filter((name) => name !== 'require');
  const more = own.length === 0 ? [] : readWords(text, makeWord(own)).found;
  const all = [...found, ...more];
  return {
    names: all.filter((one) => one !== UNCLEAR),
    isUnclear: all.includes(UNCLEAR),
  };
}

/** In the place of a name that only running the module can tell. No import has an empty one. */
const UNCLEAR = '';

const WORD =
  /(?<![\w$])(?:from|import\.meta\.resolve|import|require\.resolve|require|createRequire)(?![\w$])/g;

function makeWord(names: readonly string[]): RegExp {
  const quoted = names.map((name) => name.replaceAll('$', '\\$'));
  return new RegExp(`(?<![\\w$])(?:${quoted.join('|')})(?![\\w$])`, 'g');
}

interface FoundWords {
  readonly found: readonly string[];
  /** Names that the module has given to a `require` of its own. */
  readonly loaders: readonly string[];
}

function readWords(text: string, words: RegExp): FoundWords {
  const found: string[] = [];
  const loaders: string[] = [];
  const { skip: skipGap, isSpent } = makeGapSkipper(text);
  for (const { 0: word, index } of text.matchAll(words)) {
    if (isSpent()) return { found: [...found, UNCLEAR], loaders };
    const place: Place = { text, skipGap, word, start: index, end: index + word.length };
    if (word !== 'createRequire') found.push(...readName(place));
    else {
      const made = readLoader(place);
      if (typeof made === 'string') loaders.push(made);
      else found.push(...made);
    }
  }
  return { found, loaders };
}

/** A word that may import something. */
interface Place {
  readonly text: string;
  readonly skipGap: (at: number) => number;
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const LITERAL = /'([^'\n]+)'|"([^"\n]+)"|`([^`$\n]+)`/y;

/** What stands behind a word: a name, by itself or as what it is called with. */
function readName({ text, skipGap, word, start, end }: Place): readonly string[] {
  const next = skipGap(end);
  const isCall = text[next] === '(';
  const at = isCall ? skipGap(next + 1) : next;
  LITERAL.lastIndex = at;
  const { 0: literal, 1: single, 2: double, 3: quoted } = LITERAL.exec(text) ?? [];
  const isOther = text[start - 1] === '.' && METHODS.has(word);
  const imports = isCall && !isOther && word !== 'from' && !word.endsWith('.resolve');
  if (literal === undefined) return imports && text[at] !== ')' ? [UNCLEAR] : [];
  const name = single ?? double ?? quoted ?? '';
  const isWhole = !imports || ENDS.has(text[skipGap(at + literal.length)] ?? '');
  return [...(isWhole ? [] : [UNCLEAR]), name.includes('\\') ? UNCLEAR : name];
}

/** Methods of other objects may be called so. */
const METHODS: ReadonlySet<string> = new Set(['import', 'require']);

/** What ends an argument. */
const ENDS: ReadonlySet<string> = new Set([')', ',']);

const ARGUMENT = /\((?:[^()]|\([^()]{0,200}\)){0,200}\)/y;
const GIVEN_NAME = /([\w$]+)\s*(?::[^=;]*)?=\s*(?:[\w$]+\.)?$/;

/** The name of a `require` that is made here, or what it is called with at once. */
function readLoader(place: Place): string | readonly string[] {
  const { text, skipGap, start, end } = place;
  const at = skipGap(end);
  if (text[at] !== '(') return /^\s+as\s/.test(text.slice(end, end + 100)) ? [UNCLEAR] : [];
  ARGUMENT.lastIndex = at;
  const [given] = ARGUMENT.exec(text) ?? [];
  if (given === undefined) return [UNCLEAR];
  if (text[skipGap(at + given.length)] === '(')
    return readName({ ...place, word: 'require', end: at + given.length });
  return GIVEN_NAME.exec(text.slice(Math.max(0, start - 200), start))?.[1] ?? [UNCLEAR];
}

/** Finds where blanks and comments end. */
interface GapSkipper {
  /** The place behind them. */
  skip(from: number): number;
  /** Whether so much was skipped again and again that the rest of the text is not looked at. */
  isSpent(): boolean;
}

const BLANK = /\s*/y;

function makeGapSkipper(text: string): GapSkipper {
  let left = 10 * text.length + 100_000;
  const findEnd = (mark: string, at: number): number => {
    const found = text.indexOf(mark, at);
    const end = found === -1 ? text.length : found + mark.length;
    left -= end - at;
    return end;
  };
  return {
    isSpent: () => left < 0,
    skip(from) {
      for (let at = from; ; ) {
        if (left < 0) return text.length;
        BLANK.lastIndex = at;
        at += BLANK.exec(text)?.[0].length ?? 0;
        if (text.startsWith('/*', at)) at = findEnd('*/', at + 2);
        else if (text.startsWith('//', at)) at = findEnd('\n', at);
        else return at;
      }
    },
  };
}
