/** Writes a value so that a search for its characters misses it, and a person or a program still reads it. */
export interface Disguise {
  readonly name: string;
  /** The text around it, where the disguise is one only there; `%` stands for the value. */
  readonly place?: string;
  /** The value in disguise; the value itself where there is nothing to change in it. */
  hide(value: string): string;
}

const replacing = (name: string, pattern: RegExp, replacement: (match: string) => string): Disguise => ({
  name,
  hide: (value) => value.replace(pattern, replacement),
});

const code = (char: string): number => char.codePointAt(0) as number;
const hex = (char: string, length: number): string => code(char).toString(16).padStart(length, '0');

const escapes: readonly Disguise[] = [
  replacing('signs as \\u0040', /[^\p{L}\p{N} ]/gu, (char) => `\\u${hex(char, 4)}`),
  replacing('digits as \\u0031', /\d/g, (char) => `\\u${hex(char, 4)}`),
  replacing('signs as \\x40', /[!-/:-@]/g, (char) => `\\x${hex(char, 2)}`),
  replacing('signs as %40', /[ -/:-@]/g, (char) => `%${hex(char, 2).toUpperCase()}`),
  replacing('digits as %31', /\d/g, (char) => `%${hex(char, 2)}`),
  replacing('signs as &#64;', /[^\p{L}\p{N} ]/gu, (char) => `&#${code(char)};`),
  replacing('signs as &#x40;', /[^\p{L}\p{N} ]/gu, (char) => `&#x${hex(char, 2)};`),
  replacing('signs by name (HTML)', /[@.\-+_()/ ]/g, (char) => ENTITIES[char] as string),
  { ...replacing('form data', / /g, () => '+'), place: 'name=Anna+Smith&value=%&submit=1' },
];
const ENTITIES: Readonly<Record<string, string>> = {
  '@': '&commat;',
  '.': '&period;',
  '-': '&hyphen;',
  '+': '&plus;',
  _: '&lowbar;',
  '(': '&lpar;',
  ')': '&rpar;',
  '/': '&sol;',
  ' ': '&nbsp;',
};

const INVISIBLES: Readonly<Record<string, string>> = {
  'U+200B': '\u200b',
  'U+200D': '\u200d',
  'U+00AD': '\u00ad',
  'U+FEFF': '\ufeff',
  'U+200E': '\u200e',
  'U+202A': '\u202a',
  'U+034F': '\u034f',
  'U+180E': '\u180e',
  'U+FE0F': '\ufe0f',
  'U+2063': '\u2063',
  'U+2066': '\u2066',
  'U+061C': '\u061c',
  NUL: '\0',
  'a tag character': '\u{e0041}',
};
const invisible: readonly Disguise[] = Object.entries(INVISIBLES).map(([name, char]) => ({
  name: `${name} inside`,
  hide: (value) => value.replace(/(?<=[^ ].{2,}?)(?=[^ ]{2})/u, char).replace(/(?=\S{3}$)/u, char),
}));

const ZEROS: Readonly<Record<string, number>> = {
  'full-width': 0xff10,
  Arabic: 0x660,
  Persian: 0x6f0,
  Devanagari: 0x966,
  Bengali: 0x9e6,
  Tamil: 0xbe6,
  Thai: 0xe50,
  Khmer: 0x17e0,
  'mathematical bold': 0x1d7ce,
  'mathematical monospace': 0x1d7f6,
  subscript: 0x2080,
};
const superscripts = Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹');
const alphabets: readonly Disguise[] = [
  ...Object.entries(ZEROS).map(([name, zero]) =>
    replacing(`${name} digits`, /\d/g, (digit) => String.fromCodePoint(zero + Number(digit))),
  ),
  replacing('superscript digits', /\d/g, (digit) => superscripts[Number(digit)] as string),
  replacing('circled digits', /\d/g, (digit) =>
    digit === '0' ? '⓪' : String.fromCodePoint(0x245f + Number(digit)),
  ),
  replacing('full-width signs', /[!-/:-@]/g, (char) => String.fromCodePoint(code(char) + 0xfee0)),
  replacing('mathematical letters', /[a-z]/g, (char) => String.fromCodePoint(0x1d41a + code(char) - 97)),
];

/** An address with another sign is another address. */
const separating = (name: string, separator: string): Disguise => ({
  name,
  hide: (value) => (value.includes('@') ? value : value.replace(/[ -]/g, () => separator)),
});
const separators: readonly Disguise[] = [
  separating('hard spaces', '\u00a0'),
  separating('thin spaces', '\u2009'),
  separating('wide spaces', '\u3000'),
  separating('en dashes', '–'),
  separating('hard hyphens', '\u2011'),
  separating('double spaces', '  '),
];

/** What an attacker, a keyboard or an encoding does to a value. */
export const disguises: readonly Disguise[] = [...escapes, ...invisible, ...alphabets, ...separators];
