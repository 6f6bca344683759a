import { readParentheses } from './expansions.ts';
import { prefixLength } from './prefixes.ts';
import { type RedirectedCommand, readHereDocuments, readRedirection } from './redirections.ts';
import {
  addSpan,
  deepen,
  type Expand,
  giveUp,
  type PipedCommand,
  type PlacedCommand,
  type Scan,
  type Span,
} from './scan.ts';
import { readWord } from './words.ts';

/** The most commands of a line. Nobody writes more, and to read them all would hold up the process for seconds. */
const MAX_COMMANDS = 8_192;

/** The parts of a line. */
export interface SplitLine {
  /** All commands, including those in `( )`, `$( )`, backticks and here-documents that expand. */
  readonly commands: readonly PlacedCommand[];
  /** The commands of the line itself; the others are inside them. */
  readonly steps: readonly PlacedCommand[];
}

/**
 * Splits a shell line (POSIX, with what bash adds) into its commands.
 * @param spans collects the places of quotes, comments and the like
 * @param expand gives the text of expansions, if it is known
 * @returns `undefined` if it cannot be read for certain: the caller then assumes that it runs any command
 */
export function splitLine(text: string, spans?: Span[], expand?: Expand): SplitLine | undefined {
  const scan = startScan(text, { spans, expand, isDash: false });
  if (scan.isDoubtful || scan.hereDocuments.length > 0) return undefined;
  return { commands: scan.commands, steps: [...scan.level.commands, ...scan.level.inside] };
}

/** The same for a guard: `undefined` also for forms that shells read differently. */
export function splitSurely(text: string): PipedCommand[] | undefined {
  const scan = startScan(text, { spans: undefined, isDash: false });
  return scan.isDoubtful || scan.isOdd || scan.hereDocuments.length > 0 ? undefined : scan.commands;
}

/**
 * The same as dash reads it: `$'…'` has no escapes, and `((` is two groups. If a quote stays open or a here-document has no end,
 * dash runs the complete commands before it.
 */
export function splitAsDash(text: string): PipedCommand[] | undefined {
  const scan = startScan(text, { spans: undefined, isDash: true });
  return scan.isDoubtful && !scan.isUnclosed ? undefined : scan.commands;
}

function startScan(text: string, how: Pick<Scan, 'spans' | 'expand' | 'isDash'>): Scan {
  const scan: Scan = {
    text,
    at: 0,
    commands: [],
    blanks: { count: 0 },
    level: { commands: [], inside: [] },
    origin: undefined,
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

/** The command that is being read. */
interface Draft extends RedirectedCommand, Pick<PlacedCommand, 'start' | 'before'> {
  wordEnd: number;
  /** After `&>`: in bash a redirection; in other shells the end of this command and a redirection of the next. */
  isAmbiguous: boolean;
}

type FinishedDraft = Draft & Pick<PlacedCommand, 'after' | 'isLabel'>;

function newDraft({ origin, at }: Scan, before: string): Draft {
  const start = origin ?? at;
  const lists = { words: [], scripts: [], redirections: [], inside: [] };
  return { ...lists, start, before, wordEnd: -1, takesBoth: false, isAmbiguous: false };
}

const OPERATOR = /&&|\|\||;;|\|&|[;&|\n()]/y;

function readCommands(scan: Scan, closing: ')' | undefined): void {
  deepen(scan);
  let draft = newDraft(scan, closing === undefined ? '' : '(');
  while (scan.at < scan.text.length) {
    const char = scan.text[scan.at] as string;
    if (skipIgnored(scan, char) || skipBlankLine(scan, draft)) continue;
    if (readPart(scan, draft, char)) continue;
    const after = takeOperator(scan);
    const isLabel =
      char === ')' && closing === undefined && scan.level.hasCase === true && draft.words.length === 1;
    finish(scan, isLabel ? { ...draft, after, isLabel } : { ...draft, after }, closing);
    if (char === ')' && closing !== undefined) {
      scan.isOdd ||= scan.hereDocuments.length > 0;
      scan.depth--;
      return;
    }
    if (char === '(' && scan.isDash) readCommands(scan, ')');
    else if (char === '(') readParentheses(scan);
    else if (char === '\n') readHereDocuments(scan);
    draft = newDraft(scan, operatorBehind(draft, after));
  }
  finish(scan, { ...draft, after: '' }, closing);
  scan.depth--;
  if (closing !== undefined) giveUp(scan);
}

function takeOperator(scan: Scan): string {
  OPERATOR.lastIndex = scan.at;
  const operator = OPERATOR.exec(scan.text)?.[0] ?? '';
  scan.at += operator.length;
  return operator;
}

/** The operator before the next command. A line break right after another operator changes nothing. */
function operatorBehind({ words, redirections, before }: Draft, after: string): string {
  if (after === '(') return ')';
  const isBreak = after === '\n' && words.length === 0 && redirections.length === 0 && before !== ')';
  return isBreak ? before : after;
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

/** Skips a line break where nothing can end: right after another operator. */
function skipBlankLine(scan: Scan, { words, redirections, before }: Draft): boolean {
  const isBlank = words.length === 0 && redirections.length === 0 && before !== ')';
  if (!isBlank || scan.text[scan.at] !== '\n' || scan.hereDocuments.length > 0) return false;
  scan.at++;
  return true;
}

/** Reads a word or a redirection of the command; `false` at the end of the command. */
function readPart(scan: Scan, draft: Draft, char: string): boolean {
  if (char === '&' && scan.text[scan.at + 1] === '>') {
    draft.isAmbiguous = draft.words.length > 0;
    draft.takesBoth = true;
    scan.at++;
    return true;
  }
  if (char === '<' || char === '>') {
    readRedirection(scan, draft);
    return true;
  }
  if (';&|\n()'.includes(char)) return false;
  if (draft.isAmbiguous) giveUp(scan);
  draft.words.push(readWord(scan));
  draft.wordEnd = scan.at;
  return true;
}

/** Adds a command. After a `case` in parentheses it is uncertain which `)` closes them, so reading stops. Arithmetic runs nothing. */
function finish(scan: Scan, draft: FinishedDraft, closing: ')' | undefined): void {
  const { words, redirections, inside, readsFile, scripts, start, before, after, isLabel } = draft;
  const isBlank = words.length === 0 && redirections.length === 0;
  if (isBlank && ++scan.blanks.count > MAX_COMMANDS) giveUp(scan);
  if (isBlank || scan.inArithmetic) return;
  for (const command of scan.level.inside.splice(0)) inside.push(command);
  const placed = { words, scripts, redirections, start, before, after, inside };
  const command: PlacedCommand = {
    ...placed,
    ...(readsFile ? { readsFile } : {}),
    ...(isLabel ? { isLabel } : {}),
  };
  scan.level.commands.push(command);
  if (words.length === 0 || isLabel) return;
  scan.isOdd ||= hasOddKeyword(words);
  scan.commands.push(command);
  if (scan.commands.length > MAX_COMMANDS) giveUp(scan);
  if (words[prefixLength(words)] !== 'case') return;
  if (closing === undefined) scan.level.hasCase = true;
  else giveUp(scan);
}

/** In `for i do` and `[[ x ]] then` a command begins without a separator. */
function hasOddKeyword(words: readonly string[]): boolean {
  const end = words.indexOf(']]');
  if (end !== -1 && end < words.length - 1) return true;
  const name = words[prefixLength(words)];
  return (name === 'for' || name === 'select') && words.includes('do');
}
