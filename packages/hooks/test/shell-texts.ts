import { UNKNOWN } from '../src/match/shell/scan.ts';
import { simpleCommands } from '../src/match/shell/simple-commands.ts';

/** The commands of a line, `⁎` for what only the shell knows. */
export function readTexts(line: string | readonly string[]): string[] {
  return simpleCommands(line).map(({ text }) => text.replaceAll(UNKNOWN, '⁎'));
}
