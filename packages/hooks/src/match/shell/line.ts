import { readParentheses } from './expansions.ts';
import { prefixLength } from './prefixes.ts';
import { readHereDocuments, readRedirection } from './redirections.ts';
import { addSpan, type Expand, giveUp, type Scan, type ShellCommand, type Span } from './scan.ts';
import { readWord } from './words.ts';

/** Parentheses, substitutions and backticks within each other. */
const MAX_DEPTH = 64;

/**
 * Splits a shell line (POSIX, with what bash adds) into its commands, also those in `( )`, `$( )`, backticks and
 * here-documents that expand.
 * @param spans gathers where quotes, comments and the like stand
 * @param expand says what stands for expansions, where that is known
 * @returns `undefined` where it cannot be read for certain: the caller takes it for any command at all
 */
export function splitLine(text: string, spans?: Span[], expand?: Expand): ShellCommand[] | undefined {
  const scan = startScan(text, { spans, expand, isDash: false });
  return scan.isDoubtful || scan.hereDocuments.length > 0 ? undefined : scan.commands;
}

/** The same for who guards: also a form that shells read in their own ways leaves it open. */
export function splitSurely(text: string): ShellCommand[] | undefined {
  const scan = startScan(text, { spans: undefined, isDash: false });
  return scan.isDoubtful || scan.isOdd || scan.hereDocuments.length > 0 ? undefined : scan.commands;
}

/**
 * The same as dash reads it: `$'…'` has no escapes, and `((` is two groups. Where a quote is left open or a here-document has no end,
 * it runs what is complete before.
 */
export function splitAsDash(text: string): ShellCommand[] | undefined {
  const scan = startScan(text, { spans: undefined, isDash: true });
  return scan.isDoubtful && !scan.isUnclosed ? undefined : scan.commands;
}

function startScan(text: string, how: Pick<Scan, 'spans' | 'expand' | 'isDash'>): Scan {
  const scan: Scan = {
    text,
    at: 0,
    commands: [],
    hereDocuments: [],
    depth: 0,
    inArithmetic: false,
    isDoubtful: false,
    isOdd: false,
    isUnclosed: false,
    readCommands,
    ...how,
  };
  readCommands(scan, undefined);
  return scan;
}

/** What is being read of one command. */
interface Draft extends ShellCommand {
  /** Where its last word ended. */
  wordEnd: number;
  /** After `&>`: a redirection in bash, in other shells an end and a redirection of the next command. */
  isAmbiguous: boolean;
}

const newDraft = (): Draft => ({ words: [], scripts: [], wordEnd: -1, isAmbiguous: false });

function readCommands(scan: Scan, closing: ')' | undefined): void {
  if (++scan.depth > MAX_DEPTH) giveUp(scan);
  let draft = newDraft();
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] as string;
    if (skipIgnored(scan, char)) continue;
    if (readPart(scan, draft, char)) continue;
    scan.at++;
    const isCasePattern = char === ')' && closing === undefined && draft.words.length === 1;
    if (!isCasePattern) finish(scan, draft, closing);
    draft = newDraft();
    if (char === ')' && closing !== undefined) {
      scan.isOdd ||= scan.hereDocuments.length > 0;
      scan.depth--;
      return;
    }
    if (char === '(' && scan.isDash) readCommands(scan, ')');
    else if (char === '(') readParentheses(scan);
    else if (char === '\n') readHereDocuments(scan);
  }
  finish(scan, draft, closing);
  scan.depth--;
  if (closing !== undefined) giveUp(scan);
}

/** Skips blanks, joined lines and comments. */
function skipIgnored(scan: Scan, char: string): boolean {
  if (char === ' ' || char === '\t' || char === '\r') scan.at++;
  else if (char === '\\' && scan.text[scan.at + 1] === '\n') scan.at += 2;
  else if (char === '#' && scan.text[scan.at - 1] !== '\r') {
    const { at: start } = scan;
    const newline = scan.text.indexOf('\n', start);
    scan.at = newline === -1 ? scan.text.length : newline;
    addSpan(scan, 'comment', start);
  } else return false;
  return true;
}

/** Reads a word or a redirection of the command; `false` at what ends a command. */
function readPart(scan: Scan, draft: Draft, char: string): boolean {
  if (char === '&' && scan.text[scan.at + 1] === '>') {
    draft.isAmbiguous = draft.words.length > 0;
    scan.at++;
    return true;
  }
  if (char === '<' || char === '>') {
    readRedirection(scan, draft, draft.wordEnd);
    return true;
  }
  if (';&|\n()'.includes(char)) return false;
  if (draft.isAmbiguous) giveUp(scan);
  draft.words.push(readWord(scan));
  draft.wordEnd = scan.at;
  return true;
}

/** Inside parentheses a `case` makes it uncertain which `)` ends them; what is calculated runs nothing. */
function finish(scan: Scan, { words, scripts, readsFile }: Draft, closing: ')' | undefined): void {
  if (words.length === 0 || scan.inArithmetic) return;
  scan.isOdd ||= hasOddKeyword(words);
  scan.commands.push({ words, scripts, ...(readsFile ? { readsFile } : {}) });
  if (closing !== undefined && words[prefixLength(words)] === 'case') giveUp(scan);
}

/** `for i do`, `[[ x ]] then`: a command begins without a separator. */
function hasOddKeyword(words: readonly string[]): boolean {
  const end = words.indexOf(']]');
  if (end !== -1 && end < words.length - 1) return true;
  const name = words[prefixLength(words)];
  return (name === 'for' || name === 'select') && words.includes('do');
}
