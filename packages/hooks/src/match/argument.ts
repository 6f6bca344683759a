import { findBehindOptions } from './behind-options.ts';
import { badMatcher } from './limits.ts';
import { fits, wildcardSteps } from './sequence.ts';
import { UNKNOWN } from './shell/scan.ts';
import type { SimpleCommand } from './shell/simple-commands.ts';

/** Whether a command of a shell line may be one that a pattern such as `git push:*` names. */
export type ArgumentTest = (commands: readonly SimpleCommand[]) => boolean;

/** Tools whose argument is a file or an address, not a command, and what to write for them instead. */
const NO_COMMAND: ReadonlyMap<string, string> = new Map([
  ...'Read Write Edit MultiEdit NotebookEdit NotebookRead Glob Grep LS read_file write_file edit_file list_directory'
    .split(' ')
    .map((name): [string, string] => [name, `{ tools: '${name}', paths: 'src/**' }`]),
  ...'WebFetch WebSearch fetch web_fetch web_search'
    .split(' ')
    .map((name): [string, string] => [name, `{ tools: '${name}', input: { url: /…/ } }`]),
]);

/**
 * Compiles the parentheses of a tool pattern: `git:*` and `git push:*` or `git push *` (these words, alone or before
 * others), `git status` (exactly that), `git push *--force*` (`*` for any text).
 * @throws {DefinitionError} `bad_matcher`
 */
export function argumentTest(argument: string, tool: string, clause: string): ArgumentTest {
  const shown = `${tool}(${argument})`;
  const instead = NO_COMMAND.get(tool);
  if (instead !== undefined) {
    throw badMatcher(
      clause,
      `${shown} has a command in parentheses, but ${tool} runs none`,
      `Write ${instead}.`,
    );
  }
  const isOpen = /(?::\*|\s\*)\s*$/.test(argument);
  const text = (isOpen ? argument.trimEnd().slice(0, -2) : argument).trim().replace(/\s+/g, ' ');
  checkText(text, shown, clause);
  const head = text.split('*', 1)[0] as string;
  const words = head.trim().split(' ');
  if (head === text)
    return (commands) =>
      commands.some(
        (command) =>
          mayBeginWith(command, text, isOpen) ||
          findBehindOptions(command, { words, isCut: false }).some(
            (found) => isOpen || found.length === words.length,
          ),
      );
  const patterns = (isOpen ? [text, `${text} *`] : [text]).map(wildcardSteps);
  const mayFit = (rest: string): boolean =>
    rest.includes(UNKNOWN) || patterns.some((pattern) => fits(pattern, rest));
  const wanted = { words, isCut: !head.endsWith(' ') };
  return (commands) =>
    commands.some((command) => {
      const rest = firstRest(command, head);
      if (rest !== undefined && mayFit(rest)) return true;
      return findBehindOptions(command, wanted).some((found) => mayFit(found.join(' ')));
    });
}

function checkText(text: string, shown: string, clause: string): void {
  if (text === '') {
    throw badMatcher(
      clause,
      `${shown} names no command`,
      'Write the tool alone, or a command such as (git:*).',
    );
  }
  if (text.includes(':*')) {
    throw badMatcher(
      clause,
      `${shown} has ":*" before its end`,
      'Put ":*" last, or write "*" for any text in between.',
    );
  }
  if (text.includes('**')) {
    throw badMatcher(clause, `${shown} looks like a path`, "Write { tools: '…', paths: '…' } for paths.");
  }
  const special = /["'`\\;&|<>()\n]/.exec(text)?.[0];
  if (special === undefined) return;
  const problem = `${shown} holds ${JSON.stringify(special)}, but it is tested on one simple command without quotes and redirections`;
  throw badMatcher(
    clause,
    problem,
    'Write the plain words of one command, or test the whole line with commands: /…/.',
  );
}

/** Reads two characters more than the pattern: they tell whether its last word ends there, and whether what follows is known. */
function mayBeginWith({ text, starts }: SimpleCommand, wanted: string, isOpen: boolean): boolean {
  return starts.some((start) => {
    const seen = text.slice(start, start + wanted.length + 2);
    const known = seen.indexOf(UNKNOWN);
    if (known >= 0) return `${wanted} `.startsWith(seen.slice(0, known));
    return isOpen ? seen === wanted || seen.startsWith(`${wanted} `) : seen === wanted;
  });
}

/** The rest after the first start with the head of a pattern. If this rest does not fit, no later one can. */
function firstRest({ text, starts }: SimpleCommand, head: string): string | undefined {
  for (const start of starts) {
    const seen = text.slice(start, start + head.length);
    const known = seen.indexOf(UNKNOWN);
    if (known >= 0 ? head.startsWith(seen.slice(0, known)) : seen === head) return text.slice(start);
  }
  return undefined;
}
