/** Stands for text that only the shell will know: an expansion, a file name pattern, a brace list. */
export const UNKNOWN = '\uFFFF';

/** One command as it stands on the line, before its wrappers are looked through. */
export interface ShellCommand {
  /** Quotes and escapes removed, redirections left out. */
  readonly words: string[];
  /** What here-documents and here-strings send to its input. */
  readonly scripts: string[];
  /** Its input is a file, or what another command writes. */
  readsFile?: boolean;
}

/** One that stands on a line, or is a list of words. */
export interface PipedCommand extends ShellCommand {
  /** The operator before it. */
  readonly before?: string;
}

/** Where a command reads from or writes to. */
export interface Redirection {
  /** As it is written before the operator; empty where nothing is. */
  readonly descriptor: string;
  /** `>`, `>>`, `<<<` …; with an `&` before it, both outputs go there. */
  readonly operator: string;
  /** The file, the other descriptor, or the end of a here-document: quotes and escapes removed. */
  readonly target: string;
}

/** One command with the place that it has on its line. */
export interface PlacedCommand extends ShellCommand {
  readonly redirections: Redirection[];
  /** Where it begins, by offset in the line: behind an operator. What is in backticks or in a here-document begins where these do. */
  readonly start: number;
  /** The operator before it, such as `&&`, `|`, `(` and a line break; empty where there is none. */
  readonly before: string;
  readonly after: string;
  /** The last pattern of a branch of a `case`, with its `)` behind it. */
  readonly isLabel?: true;
  /** The commands in `$( )`, `<( )`, backticks and here-documents among its words. */
  readonly inside: readonly PlacedCommand[];
}

/** The commands between the same parentheses of a substitution, one after another. */
export interface Level {
  readonly commands: PlacedCommand[];
  /** What stands inside the command that is being read. */
  readonly inside: PlacedCommand[];
}

/** A here-document that was announced; its body begins after the next newline. */
export interface HereDocument {
  readonly delimiter: string;
  readonly stripsTabs: boolean;
  readonly expands: boolean;
  readonly scripts: string[];
  /** Gathers the commands in its text. */
  readonly inside: PlacedCommand[];
}

/** What a stretch of a line is, where it is not the plain text of a command. */
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

/** A stretch of a line, by offsets in its text. One may lie inside another. */
export interface Span {
  readonly kind: SpanKind;
  readonly start: number;
  readonly end: number;
}

/**
 * Says what the shell puts in place of a part of a word, for who knows: `$NAME`, `${…}`, `$(…)`, backticks, a `~` with the name behind
 * it, or one of the characters `*?[` of a file name pattern. It is given the part as it is written.
 *
 * @returns `undefined` where only the shell knows
 */
export type Expand = (source: string, inDouble: boolean) => string | undefined;

/** A shell line being read. */
export interface Scan {
  readonly text: string;
  at: number;
  /** All that may run, in the order in which they end. */
  readonly commands: PlacedCommand[];
  level: Level;
  /** Where a text that stands inside another begins in the line, unless it is a part of it as it is written. */
  readonly origin: number | undefined;
  readonly hereDocuments: HereDocument[];
  /** How deep in parentheses, substitutions and backticks. */
  depth: number;
  /** Inside `(( ))`, where `<<` is a shift and an expansion is a number. */
  inArithmetic: boolean;
  /** Gathers where quotes, comments and the like stand, for who asks for it. */
  readonly spans: Span[] | undefined;
  /** Absent: nothing is known, and a `~` is itself. */
  readonly expand?: Expand | undefined;
  /** Read as dash does where it differs from bash. */
  readonly isDash: boolean;
  /** The line cannot be read for certain; reading has stopped. */
  isDoubtful: boolean;
  /** It has forms that shells read in their own ways: who guards takes it for any command. */
  isOdd: boolean;
  /** It ends within quotes: a shell runs no more than what was read before. */
  isUnclosed: boolean;
  /** Reads commands up to the end, or up to `)`: given here because words and commands contain each other. */
  readonly readCommands: (scan: Scan, closing: ')' | undefined) => void;
}

/** Notes what stood from `start` to where reading is now. */
export function addSpan(scan: Scan, kind: SpanKind, start: number): void {
  scan.spans?.push({ kind, start, end: Math.min(scan.at, scan.text.length) });
}

/** What stands for the part of a word from `start` to where reading is now. */
export function expansionFrom(scan: Scan, start: number, inDouble: boolean): string {
  return scan.expand?.(scan.text.slice(start, scan.at), inDouble) ?? UNKNOWN;
}

/** Stops reading a line that cannot be read for certain. */
export function giveUp(scan: Scan): void {
  scan.isDoubtful = true;
  scan.at = scan.text.length;
}

/** Reads what stands inside a command, and puts the commands in it there. */
export function readLevel(scan: Scan, read: () => void, inside: PlacedCommand[] = scan.level.inside): void {
  const { level } = scan;
  scan.level = { commands: [], inside: [] };
  read();
  for (const commands of [scan.level.commands, scan.level.inside])
    for (const command of commands) inside.push(command);
  scan.level = level;
}

/** A text that stands inside another, such as what is between backticks. */
export interface InnerText {
  readonly text: string;
  /** Where it begins in the text around it. */
  readonly start: number;
  /** Gathers its commands; by default the command that is being read does. */
  readonly inside?: PlacedCommand[];
}

/** Reads a text that stands inside another. */
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
