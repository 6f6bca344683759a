import { commandName } from './command-name.ts';
import { CALCULATES, launchers, lineOptions, READS_COMMANDS } from './launchers.ts';
import { programs } from './program-text.ts';
import { UNKNOWN } from './scan.ts';

/** Commands that run others. */
const RUNNERS: ReadonlySet<string> = new Set([
  ...'eval alias find rbash bash dash ash sh zsh ksh mksh fish csh tcsh'.split(' '),
  ...CALCULATES,
  ...READS_COMMANDS,
  ...launchers.keys(),
  ...lineOptions.keys(),
  ...programs,
]);

/** An option with a part that only the shell knows inside its name, such as `-ex$@ec`. */
const OPEN_OPTION = new RegExp(`^(?:--?[A-Za-z][\\w-]*${UNKNOWN}[\\w=-]|--?${UNKNOWN}[A-Za-z=])`);
/** They only print their words. */
const PRINTS = /^(?:echo|printf)$/;

/** Whether only the shell knows which command runs or which option it has: `e${x}al` may be `eval`. */
export function hasUnknownName(name: string, own: readonly string[]): boolean {
  return mayRunAnother(name) || (!PRINTS.test(name) && own.some((word) => OPEN_OPTION.test(word)));
}

/** The version at the end of a name: `python3`. */
const VERSION = /[-.\d]+$/;

function mayRunAnother(name: string): boolean {
  const start = name.indexOf(UNKNOWN);
  if (start <= 0) return false; // A command that begins with it is any command.
  const end = name
    .slice(Math.max(name.lastIndexOf(UNKNOWN), name.lastIndexOf(']')) + 1) // `e[v]al`
    .replace(VERSION, '');
  const known = start + end.length;
  return [...RUNNERS].some(
    (one) => one.length >= known && one.startsWith(name.slice(0, start)) && one.endsWith(end),
  );
}

/**
 * The words of a command that may run others, with empty texts for what only the shell knows: an unset variable hides the name in
 * `env PA$@GER=x man`.
 */
export function withoutUnset(words: readonly string[]): readonly string[] {
  if (!RUNNERS.has(commandName(words[0]))) return words;
  return words.map((word) => word.replaceAll(UNKNOWN, '') || word);
}
