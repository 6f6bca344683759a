/** Replaces text that only the shell will know: an expansion, a file name pattern, a brace list. */
export const UNKNOWN = '\uFFFF';

/** One command as written on the line, before wrappers are read. */
export interface ShellCommand {
  /** Without quotes, escapes and redirections. */
  readonly words: string[];
  /** The texts of here-documents and here-strings for its input. */
  readonly scripts: string[];
  /** Its input is a file or the output of another command. */
  readsFile?: boolean;
}

/** A command on a line or as a list of words. */
export interface PipedCommand extends ShellCommand {
  /** The operator before it. */
  readonly before?: string;
}

/** A file or descriptor that a command reads from or writes to. */
export interface Redirection {
  /** The text before the operator, such as a descriptor; empty if there is none. */
  readonly descriptor: string;
  /** `>`, `>>`, `<<<` …; with `&` before it, both outputs are redirected. */
  readonly operator: string;
  /** The file, the other descriptor, or the delimiter of a here-document, without quotes and escapes. */
  readonly target: string;
}

/** One command with its place on the line. */
export interface PlacedCommand extends ShellCommand {
  readonly redirections: Redirection[];
  /** Its start, as an offset in the line after an operator. For commands in backticks or a here-document, the start of these. */
  readonly start: number;
  /** The operator before it, such as `&&`, `|`, `(` and a line break; empty where there is none. */
  readonly before: string;
  readonly after: string;
  /** The last pattern of a `case` branch, before its `)`. */
  readonly isLabel?: true;
  /** The commands in `$( )`, `<( )`, backticks and here-documents among its words. */
  readonly inside: readonly PlacedCommand[];
}

/** The commands between the same parentheses of a substitution, in order. */
export interface Level {
  readonly commands: PlacedCommand[];
  /** The commands inside the command that is being read. */
  readonly inside: PlacedCommand[];
  /** One of them is a `case`. */
  hasCase?: true;
}

/** An announced here-document; its body begins after the next newline. */
export interface HereDocument {
  readonly delimiter: string;
  readonly stripsTabs: boolean;
  readonly expands: boolean;
  readonly scripts: string[];
  /** Collects the commands in its text. */
  readonly inside: PlacedCommand[];
}

/** The kind of a stretch of a line that is not the plain text of a command. */
export type SpanKind =
  | 'single'
  | 'double'
  | 'ansi'
  | 'backticks'
  | 'substitution'
  | 'parameter'
  | 'arithmetic'
  | 'comment'
  | 'here-document'
  | 'redirection';

/** A stretch of a line, by its offsets. Stretches may be nested. */
export interface Span {
  readonly kind: SpanKind;
  readonly start: number;
  readonly end: number;
}

/**
 * Gives the text for a part of a word, if it is known: `$NAME`, `${…}`, `$(…)`, backticks, a `~` with the name after it,
 * or one of the characters `*?[` of a file name pattern. What stands in `$'…'`, and the `$` of `$"…"`, only the shell knows then. `source` is the part as it is written.
 *
 * @returns `undefined` if only the shell knows
 */
export type Expand = (source: string, inDouble: boolean) => string | undefined;

/** A shell line being read. */
export interface Scan {
  readonly text: string;
  at: number;
  /** All commands that may run, in the order in which they end. */
  readonly commands: PlacedCommand[];
  /** How many places there are where a command could stand and none does. */
  readonly blanks: { count: number };
  level: Level;
  /** The start of an inner text in the line; `undefined` if the inner text is an unchanged part of the line. */
  readonly origin: number | undefined;
  readonly hereDocuments: HereDocument[];
  /** The present depth of parentheses, substitutions and backticks. */
  depth: number;
  /** Inside `(( ))`, where `<<` is a shift and an expansion gives a number. */
  inArithmetic: boolean;
  /** Collects the places of quotes, comments and the like, if a caller wants them. */
  readonly spans: Span[] | undefined;
  /** Absent: nothing is known, and a `~` stays as it is. */
  readonly expand?: Expand | undefined;
  /** Reads like dash where dash differs from bash. */
  readonly isDash: boolean;
  /** The line cannot be read for certain, and reading has stopped. */
  isDoubtful: boolean;
  /** It has forms that shells read differently: a guard assumes that it may run any command. */
  isOdd: boolean;
  /** It ends inside quotes: a shell runs only what comes before. */
  isUnclosed: boolean;
  /** Reads commands up to the end or up to `)`. It is passed in here because words and commands contain each other. */
  readonly readCommands: (scan: Scan, closing: ')' | undefined) => void;
}

/** Records the stretch from `start` to the present position. */
export function addSpan(scan: Scan, kind: SpanKind, start: number): void {
  scan.spans?.push({ kind, start, end: Math.min(scan.at, scan.text.length) });
}

/** The text for the part of a word from `start` to the present position. */
export function expansionFrom(scan: Scan, start: number, inDouble: boolean): string {
  return scan.expand?.(scan.text.slice(start, scan.at), inDouble) ?? UNKNOWN;
}

/** The deepest nesting of parentheses, substitutions, expansions and backticks. */
const MAX_DEPTH = 64;

/** Enters one more of these. */
export function deepen(scan: Scan): void {
  if (++scan.depth > MAX_DEPTH) giveUp(scan);
}

/** Stops reading a line that cannot be read for certain. */
export function giveUp(scan: Scan): void {
  scan.isDoubtful = true;
  scan.at = scan.text.length;
}

/** Reads the inside of a command, and stores the commands found there with it. */
export function readLevel(scan: Scan, read: () => void, inside: PlacedCommand[] = scan.level.inside): void {
  const { level } = scan;
  scan.level = { commands: [], inside: [] };
  read();
  for (const commands of [scan.level.commands, scan.level.inside])
    for (const command of commands) inside.push(command);
  scan.level = level;
}

/** A text inside another one, such as the text between backticks. */
export interface InnerText {
  readonly text: string;
  /** Its start in the outer text. */
  readonly start: number;
  /** Collects its commands; by default, the command that is being read. */
  readonly inside?: PlacedCommand[];
}

/** Reads a text inside another one. */
export function readInner(scan: Scan, { text, start, inside }: InnerText, read: (inner: Scan) => void): void {
  const inner: Scan = {
    ...scan,
    text,
    at: 0,
    origin: scan.origin ?? start,
    hereDocuments: [],
    inArithmetic: false,
    spans: undefined,
  };
  readLevel(inner, () => read(inner), inside);
  scan.isUnclosed ||= inner.isUnclosed;
  scan.isOdd ||= inner.isOdd;
  if (inner.isDoubtful) giveUp(scan);
}
