import { atCharacter, fillsPiece, type Pieces } from './pieces.ts';

/**
 * A text as a reader would see it, and the way back to its source. `starts[i]` and `ends[i]` bound the part of
 * the source that became unit `i`; without them, every unit stands for itself.
 */
export interface View {
  /** The text to search: digits of other scripts and full-width characters are ASCII. */
  readonly text: string;
  /** The same text with its own digits and characters, unit by unit. {@link readRange} gives the real form of a value found in `text`. */
  readonly read: string;
  /** The letters in mathematical styles, by the place of the plain letter that stands for both of their units. */
  readonly styled?: ReadonlyMap<number, string>;
  readonly starts?: Uint32Array;
  readonly ends?: Uint32Array;
}

const MAX_LEVELS = 6;

/** Invisible characters: soft hyphens, joiners, marks of direction, variation selectors, tags. */
const INVISIBLE = '\\p{Default_Ignorable_Code_Point}\\0';
/** Letters and digits in mathematical styles, which take two units each. */
const STYLED = '\\u{1d400}-\\u{1d7ff}';
const IS_STYLED = new RegExp(`^[${STYLED}]$`, 'u');
const EACH_STYLED = new RegExp(`[${STYLED}]`, 'gu');
/** Colours and other codes of a terminal. */
const TERMINAL = '\\u001b\\[[\\d;]{0,20}[A-Za-z]';
/** A plus for a space in a form's value; a plus at its start is a real plus. */
const FORM_SPACE = '\\+(?<==[^\\s=&]{1,80}\\+)(?=[^\\s=&+])';
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ commat: '@', period: '.', hyphen: '-', dash: '-', plus: '+', lowbar: '_', lpar: '(', rpar: ')' },
  ...{ sol: '/', colon: ':', comma: ',', equals: '=', num: '#', nbsp: ' ', amp: '&', quot: '"', apos: "'" },
};
/** One of the bytes behind the first of a character beyond ASCII in a URL. */
const TAIL = '%[89abAB][\\da-fA-F]';
const ESCAPE = new RegExp(
  [
    String.raw`\\u\{[\da-fA-F]{1,6}\}`,
    String.raw`\\u[\da-fA-F]{4}`,
    String.raw`\\x[\da-fA-F]{2}`,
    String.raw`\\["'\\\/bfnrt]`,
    `%[cdCD][\\da-fA-F]${TAIL}`,
    `%[eE][\\da-fA-F](?:${TAIL}){2}`,
    `%[fF][0-7](?:${TAIL}){3}`,
    '%[0-7][\\da-fA-F]',
    '&#\\d{1,6};',
    '&#x[\\da-fA-F]{1,5};',
    `&(?:${Object.keys(ENTITIES).join('|')});`,
    TERMINAL,
    FORM_SPACE,
    `[${INVISIBLE}${STYLED}]`,
  ].join('|'),
  'gu',
);
const MAY_HAVE_ESCAPES = new RegExp(`[\\\\%&+\\u001b${INVISIBLE}${STYLED}]`, 'u');
const CONTROLS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Digits of other scripts, and full-width, small, raised, lowered and circled signs. */
const FOLDED =
  /(?![0-9])[\p{Nd}\uff01-\uff5e\ufe50-\ufe6b\u00b2\u00b3\u00b9\u2070-\u2089\u2460-\u2468\u24ea]/gu;
const NON_ASCII = /[^\0-\x7f]/;
/** A longer text is processed in parts. */
const PART = 8192;

/** Whether a text has only one view. */
export function isPlain(text: string): boolean {
  return !MAY_HAVE_ESCAPES.test(text) && !NON_ASCII.test(text);
}

/**
 * The views of a text. The first is the text itself (digits of other scripts and full-width characters as ASCII). Each further view
 * undoes one more level of escapes: JSON (`\u0040`), URL (`%40`, `+`) and HTML (`&#64;`) escapes, terminal colours and invisible
 * characters. A later view shows a value that is only visible without escapes or that touches one (`\nanna@…`).
 */
export function* makeViews(text: string): Pieces<readonly [View, ...View[]]> {
  const views: [View, ...View[]] = [{ text: NON_ASCII.test(text) ? yield* folded(text) : text, read: text }];
  let view: View | undefined = views[0];
  while (views.length <= MAX_LEVELS && MAY_HAVE_ESCAPES.test(view.text)) {
    view = yield* unescaped(view);
    if (view === undefined) break;
    views.push(view);
  }
  return views;
}

function* folded(text: string): Pieces<string> {
  if (text.length <= PART) return foldedText(text);
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = atCharacter(text, at + PART);
    parts.push(foldedText(text.slice(at, end)));
    at = end;
    yield;
  }
  return parts.join('');
}

/** A short text with digits of other scripts and full-width characters as ASCII, as in views. Its length stays the same. */
export function foldedText(text: string): string {
  return text.replace(FOLDED, fold);
}

/** The same where letters in mathematical styles are plain too, which makes the text shorter. */
export function plainText(text: string): string {
  return foldedText(text).replace(EACH_STYLED, (char) => char.normalize('NFKC'));
}

/** What stands in a range of a view, as it was written. */
export function readRange({ read, styled }: View, start: number, end: number): string {
  if (styled === undefined) return read.slice(start, end);
  let written = '';
  for (let unit = start; unit < end; unit++) written += styled.get(unit) ?? read[unit];
  return written;
}

/** The plain form of a character, if it takes as many units. */
function fold(char: string): string {
  const plain = foreignDigit(char) ?? char.normalize('NFKC');
  return plain.length === char.length ? plain : char;
}

/** In Unicode the ten digits of a script are adjacent, zero first. */
function foreignDigit(char: string): string | undefined {
  if (char.length > 1 || !DIGIT.test(char)) return undefined;
  const code = char.charCodeAt(0);
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCharCode(code - value - 1))) value++;
  return String(value);
}
const DIGIT = /^\p{Nd}$/u;

function* unescaped(view: View): Pieces<View | undefined> {
  const next = new UnescapedView(view);
  for (const match of view.text.matchAll(ESCAPE)) {
    yield* next.keep(match.index);
    next.put(match[0]);
    if (fillsPiece(match[0].length)) yield;
  }
  if (next.from === 0) return undefined;
  yield* next.keep(view.text.length);
  return next.finished();
}

/** A view under construction, from start to end. */
class UnescapedView {
  /** The position reached in the source view. */
  from = 0;
  readonly #view: View;
  readonly #parts: string[] = [];
  readonly #readParts: string[] = [];
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #styled = new Map<number, string>();
  #length = 0;

  constructor(view: View) {
    this.#view = view;
    this.#starts = new Uint32Array(view.text.length);
    this.#ends = new Uint32Array(view.text.length);
  }

  /** Copies text without escapes. */
  *keep(until: number): Pieces<void> {
    while (this.from < until) {
      const end = Math.min(until, this.from + PART);
      this.#parts.push(this.#view.text.slice(this.from, end));
      this.#readParts.push(this.#view.read.slice(this.from, end));
      for (let at = this.from; at < end; at++) this.#place(at, at + 1);
      if (end - this.from === PART) yield;
      this.from = end;
    }
  }

  /** Adds the meaning of an escape. */
  put(sequence: string): void {
    const start = this.from;
    this.from += sequence.length;
    const meant = meaning(sequence);
    this.#parts.push(foldedText(meant));
    this.#readParts.push(meant);
    if (meant !== '' && IS_STYLED.test(sequence)) this.#styled.set(this.#length, sequence);
    for (let unit = 0; unit < meant.length; unit++) this.#place(start, this.from);
  }

  #place(start: number, end: number): void {
    const { starts, ends, styled } = this.#view;
    const letter = styled?.get(start);
    if (letter !== undefined) this.#styled.set(this.#length, letter);
    this.#starts[this.#length] = starts?.[start] ?? start;
    this.#ends[this.#length++] = ends?.[end - 1] ?? end;
  }

  finished(): View {
    return {
      text: this.#parts.join(''),
      read: this.#readParts.join(''),
      ...(this.#styled.size > 0 ? { styled: this.#styled } : {}),
      starts: this.#starts.subarray(0, this.#length),
      ends: this.#ends.subarray(0, this.#length),
    };
  }
}

function meaning(sequence: string): string {
  if (sequence === '+') return ' ';
  if (sequence.startsWith('&#x')) return codePoint(sequence.slice(3, -1), 16);
  if (sequence.startsWith('&#')) return codePoint(sequence.slice(2, -1), 10);
  if (sequence.startsWith('&')) return ENTITIES[sequence.slice(1, -1)] as string;
  if (sequence.startsWith('%')) return decodedBytes(sequence);
  if (sequence.startsWith('\\')) return unescapedSign(sequence);
  return sequence.length > 1 && !sequence.startsWith('\u001b') ? styledOrNothing(sequence) : '';
}

function decodedBytes(sequence: string): string {
  try {
    return decodeURIComponent(sequence);
  } catch {
    return '\ufffd'; // No character has these bytes.
  }
}

function unescapedSign(sequence: string): string {
  const kind = sequence[1] as string;
  if (sequence.length > 2) return codePoint(sequence.slice(2).replace(/[{}]/g, ''), 16);
  return CONTROLS[kind] ?? kind;
}

function styledOrNothing(char: string): string {
  const plain = char.normalize('NFKC');
  return plain === char ? '' : plain;
}

function codePoint(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}

/**
 * A range of a view as a range of the original text, without splitting an escape of the `deepest` view. A start inside
 * an escape moves after it (in `\nanna@…` the address does not begin with the n); an end inside one moves to its end.
 */
export function rangeInText(
  view: View,
  deepest: View,
  range: { start: number; end: number },
): { start: number; end: number } {
  const start = view.starts?.[range.start] ?? range.start;
  const end = view.ends?.[range.end - 1] ?? range.end;
  if (deepest.starts === undefined || view === deepest) return { start, end };
  return { start: behindEscape(deepest, start), end: behindEscape(deepest, end) };
}

function behindEscape(view: View, offset: number): number {
  const unit = lastUnitFrom(view, offset);
  const start = view.starts?.[unit];
  const end = view.ends?.[unit];
  return start !== undefined && end !== undefined && start < offset && offset < end ? end : offset;
}

/** The last unit that begins at or before an offset of the original text, by binary search. */
function lastUnitFrom(view: View, offset: number): number {
  const starts = view.starts as Uint32Array;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
