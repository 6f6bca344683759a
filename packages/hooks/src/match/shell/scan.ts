/** Stands for text that only the shell will know: an expansion, a file name pattern, a brace list. */
export const UNKNOWN = '\uFFFF';

/** One command as it stands on the line, before its wrappers are looked through. */
export interface ShellCommand {
  /** Quotes and escapes removed, redirections left out. */
  readonly words: string[];
  /** What here-documents and here-strings send to its input. */
  readonly scripts: string[];
}

/** A here-document that was announced; its body begins after the next newline. */
export interface HereDocument {
  readonly delimiter: string;
  readonly stripsTabs: boolean;
  readonly expands: boolean;
  readonly scripts: string[];
}

/** A shell line being read. */
export interface Scan {
  readonly text: string;
  at: number;
  readonly commands: ShellCommand[];
  readonly hereDocuments: HereDocument[];
  /** How deep in parentheses, substitutions and backticks. */
  depth: number;
  /** Inside `(( ))`, where `<<` is a shift and an expansion is a number. */
  inArithmetic: boolean;
  /** The line cannot be read for certain; reading has stopped. */
  isDoubtful: boolean;
  /** Reads commands up to the end, or up to `)`: given here because words and commands contain each other. */
  readonly readCommands: (scan: Scan, closing: ')' | undefined) => void;
}

/** Stops reading a line that cannot be read for certain. */
export function giveUp(scan: Scan): void {
  scan.isDoubtful = true;
  scan.at = scan.text.length;
}

/** Reads a text that stands inside another, such as what is between backticks. */
export function readInner(scan: Scan, text: string, read: (inner: Scan) => void): void {
  const inner: Scan = { ...scan, text, at: 0, hereDocuments: [], inArithmetic: false };
  read(inner);
  if (inner.isDoubtful) giveUp(scan);
}
