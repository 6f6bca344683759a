/** Emoji as they are written: with joiners, skin tones and variation selectors. */
const EMOJI_PART = '\\p{Extended_Pictographic}[\\u{1f3fb}-\\u{1f3ff}]?[\\ufe0e\\ufe0f]?';
const EMOJI = new RegExp(`${EMOJI_PART}(?:\\u200d${EMOJI_PART})*|[0-9#*]\\ufe0f?\\u20e3`, 'gu');

/**
 * What a person does not see and a model reads: controls, joiners and other marks without a width, bidirectional controls, tags, fillers, and
 * variation selectors.
 */
const HIDDEN = new RegExp(
  [
    '[^\\P{Cc}\\n\\r\\t]',
    '\\p{Cf}',
    '\\p{Cs}',
    '\\p{Default_Ignorable_Code_Point}',
    // Blank, though no list of Unicode says so: Braille without dots, a null note of music, the filler of the Khitan script.
    '[\\u2800\\u{1d159}\\u{16fe4}]',
  ].join('|'),
  'gu',
);

/** Where a text has hidden characters, and which. */
export interface HiddenText {
  /** Such as `inputSchema.properties.path.description`. */
  readonly at: string;
  /** The text, with what is hidden written out: `\u{200b}`. */
  readonly shown: string;
}

/** A text with its hidden characters written out; `undefined` if it has none. Emoji keep their joiners. */
export function showHidden(text: string): string | undefined {
  HIDDEN.lastIndex = 0;
  if (!HIDDEN.test(text)) return undefined;
  let shown = '';
  let end = 0;
  for (const emoji of text.matchAll(EMOJI)) {
    shown += text.slice(end, emoji.index).replace(HIDDEN, writeOut) + emoji[0];
    end = emoji.index + emoji[0].length;
  }
  shown += text.slice(end).replace(HIDDEN, writeOut);
  return shown === text ? undefined : shown;
}

/** A character by its number: `\u{200b}`. */
export function writeOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** All texts of a definition that hide something, also the names of its fields. */
export function findHidden(value: unknown, at = ''): readonly HiddenText[] {
  if (typeof value === 'string') {
    const shown = showHidden(value);
    return shown === undefined ? [] : [{ at, shown }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = showHidden(key);
    const path = at === '' ? (name ?? key) : `${at}.${name ?? key}`;
    return [...(name === undefined ? [] : [{ at: path, shown: name }]), ...findHidden(inner, path)];
  });
}
