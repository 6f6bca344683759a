/** The words of a shell text. */
export interface ShellWords {
  /** One list for each simple command; also those inside of quotes, since a script's name may stand anywhere. */
  readonly commands: readonly (readonly string[])[];
}

/** So deep texts inside of quotes are read as commands of their own. */
const DEPTH = 4;

/**
 * Splits a text for the shell into commands and words, roughly: quotes and backslashes are taken away, variables that the text sets
 * itself are filled in. It is for finding names, not for running anything.
 *
 * @param isName whether a text in quotes is the name of a file, blanks and all, and no command
 */
export function shellWords(text: string, isName: (quoted: string) => boolean = () => false): ShellWords {
  return { commands: commandsOf(filledIn(text), { depth: DEPTH, isName }) };
}

interface Splitting {
  readonly depth: number;
  readonly isName: (quoted: string) => boolean;
}

const ASSIGNMENT = /(?:^|[\s;&|({])([A-Za-z_]\w*)=("[^"]*"|'[^']*'|[^\s;&|()<>"']*)/g;
const VARIABLE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;

/** Puts the values of variables that the text sets in their places. */
function filledIn(text: string): string {
  const values = new Map<string, string>();
  for (const [, name, value] of text.matchAll(ASSIGNMENT))
    values.set(name as string, (value as string).replace(/^["']|["']$/g, ''));
  if (values.size === 0) return text;
  let filled = text;
  for (let round = 0; round < DEPTH && filled.length < 100_000; round++) {
    filled = filled.replace(
      VARIABLE,
      (whole, braced?: string, bare?: string) => values.get((braced ?? bare) as string) ?? whole,
    );
  }
  return filled;
}

const SEPARATOR = /[;|&\n()<>`]/;
const BLANK = /[\s,=]/;

function commandsOf(text: string, { depth, isName }: Splitting): string[][] {
  const commands: string[][] = [];
  const inner: string[] = [];
  let words: string[] = [];
  let word = '';
  const endWord = (): void => {
    if (word !== '') words.push(word);
    word = '';
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '\\') word += text[++at] ?? '';
    else if (character === '"' || character === "'") {
      const end = endOfQuoted(text, at);
      const quoted = text.slice(at + 1, end);
      word += quoted;
      if (/[\s;|&()]/.test(quoted) && !isName(quoted)) inner.push(quoted);
      at = end;
    } else if (SEPARATOR.test(character)) endCommand();
    else if (BLANK.test(character)) endWord();
    else word += character;
  }
  endCommand();
  return depth === 0
    ? commands
    : [...commands, ...inner.flatMap((one) => commandsOf(one, { depth: depth - 1, isName }))];
}

/** The place of the quote that closes the one at `start`, or the end. */
function endOfQuoted(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === quote) return at;
    if (text[at] === '\\' && quote === '"') at++;
  }
  return text.length;
}
