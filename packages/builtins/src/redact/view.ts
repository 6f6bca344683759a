/**
 * A text as a reader would see it, with the way back to the text it was made from. `starts[i]` and `ends[i]` bound, in
 * the original, what became unit `i` here; without them every unit stands for itself.
 */
export interface View {
  readonly text: string;
  readonly starts?: Uint32Array;
  readonly ends?: Uint32Array;
}

const MAX_LEVELS = 6;

const INVISIBLE = '\\u00ad\\u200b-\\u200d\\u2060\\ufeff';
const ESCAPE = new RegExp(
  [
    String.raw`\\u\{[\da-fA-F]{1,6}\}`,
    String.raw`\\u[\da-fA-F]{4}`,
    String.raw`\\x[\da-fA-F]{2}`,
    String.raw`\\["'\\/bfnrt]`,
    '%[0-7][\\da-fA-F]',
    '&#\\d{1,6};',
    '&#x[\\da-fA-F]{1,5};',
    '&commat;',
    `[${INVISIBLE}]`,
  ].join('|'),
  'g',
);
const MAY_HAVE_ESCAPES = new RegExp(`[\\\\%&${INVISIBLE}]`);
const CONTROLS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Where the digits of a script begin: full width, Arabic, Persian, Devanagari. */
const ZEROS = [0xff10, 0x0660, 0x06f0, 0x0966];
const FOLDED = /[\uff01-\uff5e\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\ufe6b]/g;

/**
 * The views of a text, the text itself (with foreign digits and full-width signs as ASCII) first, then with one level of
 * escapes after the other undone: JSON (`\u0040`), URL (`%40`) and HTML (`&#64;`) escapes and invisible characters. What is only visible
 * after unescaping, or touches an escape (`\nanna@…`), is found in the later ones.
 */
export function viewsOf(text: string): readonly [View, ...View[]] {
  const views: [View, ...View[]] = [{ text: text.replace(FOLDED, fold) }];
  let view: View | undefined = views[0];
  while (views.length <= MAX_LEVELS) {
    view = unescaped(view);
    if (view === undefined) break;
    views.push(view);
  }
  return views;
}

function fold(char: string): string {
  const code = char.charCodeAt(0);
  if (code === 0xfe6b) return '@';
  const zero = ZEROS.find((start) => code >= start && code <= start + 9);
  return String.fromCharCode(zero === undefined ? code - 0xfee0 : code - zero + 0x30);
}

function unescaped(view: View): View | undefined {
  if (!MAY_HAVE_ESCAPES.test(view.text)) return undefined;
  const parts: string[] = [];
  const starts = new Uint32Array(view.text.length);
  const ends = new Uint32Array(view.text.length);
  let from = 0;
  let length = 0;
  const keep = (until: number): void => {
    if (until === from) return;
    parts.push(view.text.slice(from, until));
    for (let at = from; at < until; at++, length++) {
      starts[length] = view.starts?.[at] ?? at;
      ends[length] = view.ends?.[at] ?? at + 1;
    }
  };
  for (const match of view.text.matchAll(ESCAPE)) {
    keep(match.index);
    from = match.index + match[0].length;
    const meant = meaning(match[0]);
    parts.push(meant);
    for (let unit = 0; unit < meant.length; unit++, length++) {
      starts[length] = view.starts?.[match.index] ?? match.index;
      ends[length] = view.ends?.[from - 1] ?? from;
    }
  }
  if (from === 0) return undefined;
  keep(view.text.length);
  return { text: parts.join(''), starts: starts.subarray(0, length), ends: ends.subarray(0, length) };
}

function meaning(sequence: string): string {
  if (sequence.length === 1) return '';
  if (sequence === '&commat;') return '@';
  if (sequence.startsWith('&#x')) return codePoint(sequence.slice(3, -1), 16);
  if (sequence.startsWith('&#')) return codePoint(sequence.slice(2, -1), 10);
  if (sequence.startsWith('%')) return codePoint(sequence.slice(1), 16);
  const kind = sequence[1] as string;
  if (sequence.length > 2) return codePoint(sequence.slice(2).replace(/[{}]/g, ''), 16);
  return CONTROLS[kind] ?? kind;
}

function codePoint(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}

/**
 * A range of a view, as a range of the original text that cuts no escape of the `deepest` view in two: a beginning inside
 * an escape moves behind it (in `\nanna@…` the address does not begin with the n), an end inside one moves to its end.
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

/** The last unit that begins at or before an offset of the original, by binary search. */
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
