import { COMMAND_OPTION } from './secret-commands.ts';
import { findSecretTable } from './secret-tables.ts';
import { NAMES } from './secret-words.ts';

/** The longest quoted value with the words around it that decide on it. */
const QUOTED_REACH = 330;

/**
 * Text that a secret may follow at any distance: after it, a text can only be judged as a whole. Each pattern is wider than the
 * search itself, because a text that waits needlessly only loses time.
 */
const OPENINGS: readonly RegExp[] = [
  new RegExp(NAMES, 'iu'),
  // A value in quotes after a sign or a name; an option of a command
  /(?:=>|->|→|[:=])\s{0,5}(?:\*{2}\s{0,3})?["'`]/u,
  /(?:pass|token)[^\n"'`]{0,120}["'`]/iu,
  /(?:auth|login|credentials?|authenticate)\s{0,3}(?:=\s{0,3})?[([]/iu,
  /(?:^|[\s"'])--?[a-z0-9-]{0,80}(?:pass|pwd|secret|key|token|credential)/iu,
  /^[ \t]*ENV[ \t]/imu,
  COMMAND_OPTION,
  /(?<![\w-])(?:echo|printf)\s|<<<|<\(|-stdin|sudo -S|ConvertTo-SecureString/u,
  // Markup, SQL and manifests
  /<[A-Za-z/!?]/u,
  /\binsert\s{1,3}into/iu,
  /^[ \t]*(?:kind:[ \t]*["']?(?:Sealed)?Secret|(?:data|stringData):[ \t]*\r?$)/mu,
  // Private keys, or a line of one
  /-{4,5} ?(?:BEGIN|END)|Private-Lines/u,
  /^[\s"'`>|]{0,40}[A-Za-z\d+/=]{16,100}[\s"'`\\nr+,]{0,10}$/mu,
];

/** A quote that may open a value, unlike an apostrophe inside a word. */
const QUOTE = /["`“]|(?<![\p{L}\p{N}])'/u;

/** The start of the first text that may be or become a secret because of distant text; nothing if there is none. */
export function findSecretOpening(text: string): number | undefined {
  const places = OPENINGS.map((pattern) => text.search(pattern)).filter((at) => at !== -1);
  const table = findSecretTable(text);
  if (table !== undefined) places.push(table);
  const end = Math.max(0, text.length - QUOTED_REACH);
  const quote = text.slice(end).search(QUOTE);
  if (quote !== -1) places.push(end + quote);
  return places.length === 0 ? undefined : Math.min(...places);
}
