// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${…} is shell here
import { type Expand, readShellLine, type ShellLine, type ShellLineCommand, UNKNOWN } from '@spec/hooks';
import { findCode, taintsAll, type WordContents } from './code-words.ts';
import { baseName, findInterpreter, isShellName, TELLS_A_SHELL } from './interpreters.ts';
import { findWrittenAndRun } from './written-files.ts';

/**
 * A value may come back out of every variable, `$(…)` and file of its line. So a line with values is accepted only if nothing on it
 * evaluates the text of an expansion, whichever way a value could get there.
 */

/** Stands for a variable that the line does not set: the operator's environment gives it. */
const FROM_OUTSIDE = '\uF000';
/** After `UNKNOWN`: an unquoted expansion, which becomes several words. */
const SPLITS = '\uF001';
/** A place in a word where a value may come back out. */
export const MAY_BE_VALUE: RegExp = new RegExp(UNKNOWN);

const SET_BY_SHELLS = /^(?:REPLY|MAPFILE|COPROC|OPT\w+|BASH\w*|PWD|OLDPWD|DIRSTACK|READLINE\w*|COMP_\w+)$/;

/** Keeps apart the expansions that only the operator can have set, and those that may hold a value: the line's variables and output. */
export function expandAmongValues(command: string): Expand {
  return (source, inDouble) => {
    if (source.startsWith('~')) return source;
    if (/^\$(?:[?#$]|\{[?#$]\})$/.test(source)) return '0';
    const name = /^\$(?:\{([A-Z]\w*)\}|([A-Z]\w*))$/.exec(source)?.slice(1).join('');
    if (name !== undefined && isNeverSet(name, command)) return FROM_OUTSIDE;
    return source.startsWith('$') && !inDouble ? UNKNOWN + SPLITS : undefined;
  };
}

function isNeverSet(name: string, command: string): boolean {
  return !SET_BY_SHELLS.test(name) && !new RegExp(`(?<![$\\w]|\\$\\{)${name}(?!\\w)`).test(command);
}

/** The sentence for a value that does not stand in the word but may get there. */
export function viaExpansion(problem: string): string {
  return `may come back out of a variable or another command, which ${problem}`;
}

const contentsInside: WordContents = {
  hasValue: (word) => MAY_BE_VALUE.test(word),
  isInSandbox: () => false,
};

/** The most lines of shell code within one command; no sensible command has more. */
const MAX_INNER_LINES = 32;

/** Why a line may run the text of a value, as the rest of a sentence about the value; `undefined` if it surely does not. */
export function findEvaluation(line: ShellLine, text: string): string | undefined {
  const lines = [{ line, text }];
  for (const one of lines) {
    const tainted = one.line === line ? undefined : taintsAll(one.line);
    const problem = spanProblem(one.line, one.text) ?? commandsProblem(one.line) ?? tainted;
    if (problem !== undefined) return problem;
    const code = one.line === line ? undefined : findCode(one.line, contentsInside);
    if (code !== undefined) return viaExpansion(code.problem);
    for (const inner of one.line.commands.flatMap(innerLines)) {
      const read = /[\uE000-\uF8FF\uFFFF]/.test(inner)
        ? undefined
        : readShellLine(inner, expandAmongValues(text));
      if (read === undefined || lines.length > MAX_INNER_LINES)
        return 'is on a line with code for a shell that cannot be read for certain. Put that code into a script.';
      lines.push({ line: read, text: inner });
    }
  }
  return findWrittenAndRun(lines);
}

/** Safe shell parameters: a plain value, or one with a default, a removed prefix or suffix, or a replacement. */
const PLAIN_PARAMETER =
  /^(?:#?\w+|[@*#?$!-]|(?:\w+|[@*])(?::?[-+?]|##?|%%?|\/\/?|\^\^?|,,?)(?:[^$`[\]@!\\]|\$[A-Za-z_]\w*)*)\}$/;

function spanProblem({ spans }: ShellLine, text: string): string | undefined {
  if (/\S\\\n/.test(text))
    return 'is on a line with a line break right behind a word. Put a blank before the backslash.';
  for (const { kind, start, end } of spans) {
    const inside = text.slice(start, end);
    if (kind === 'backticks') return 'is on a line with backticks. Write $(…) instead of them.';
    if (kind === 'arithmetic' && /[^\d\s()+*/%<>=!&|^~?:,\]-]/.test(inside))
      return 'is on a line that calculates, which runs what a variable has in an index. Calculate in a script, compare with [ VALUE -gt 5 ].';
    if (kind === 'parameter' && !PLAIN_PARAMETER.test(inside))
      return 'is on a line with an expansion that evaluates, such as ${!x}, ${x@P} or ${x[i]}. Use it in a script.';
    if (kind === 'here-document' && /[$`\\]/.test(inside))
      return 'is on a line with a here-document that expands. Write printf instead.';
  }
  return undefined;
}

function commandsProblem({ commands }: ShellLine): string | undefined {
  for (const command of commands) {
    const own = command.words.slice(command.prefix);
    const problem =
      splitProblem(own) ??
      variableProblem(command, own) ??
      command.runs.starts
        .map((start) => programProblem(own.slice(start), start === 0))
        .find((found) => found !== undefined);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function splitProblem([name = '', ...rest]: readonly string[]): string | undefined {
  if (name === '[[') return undefined;
  const splits = (word: string, at: number) => word.includes(SPLITS) && !(name === 'case' && at === 0);
  if (!rest.some(splits)) return undefined;
  return 'is on a line where a variable or $(…) becomes several words. Put double quotes around it: "$x".';
}

const SETS_VARIABLES = /^(?:for|read|getopts|declare|typeset|local|export|readonly)$/;

function variableProblem({ words, prefix }: ShellLineCommand, own: readonly string[]): string | undefined {
  const [name = '', ...rest] = own;
  if (words.some((word) => TELLS_A_SHELL.test(word) && STREAM.test(word.replace(/^[^=]*=/, ''))))
    return 'is on a line with a variable by which a shell or a program runs its input.';
  const assigned = words.slice(0, prefix).filter((word) => MAY_BE_VALUE.test(word));
  const printed =
    name === 'printf' && rest[0]?.startsWith('-v') ? [rest[0]?.slice(2) || (rest[1] ?? '')] : [];
  const named =
    printed.length > 0 ? printed : name === 'for' ? rest.slice(0, 1) : SETS_VARIABLES.test(name) ? rest : [];
  const isUnsafe = [...assigned, ...named.map((word) => (word.includes('=') ? word : `${word}=`))].some(
    (word) =>
      TELLS_A_SHELL.test(word) && (!word.includes('=') || MAY_BE_VALUE.test(word) || named.length > 0),
  );
  return isUnsafe ? 'is on a line that sets a variable which tells a shell what to run.' : undefined;
}

/** Commands that run their words or input, or read them as commands. */
const EVALUATORS = new Set(
  `eval alias let trap ssh watch parallel xargs su runuser script at batch bind enable fc complete compgen mapfile readarray select coproc
   sqlite3 psql mysql mariadb csh tcsh pwsh powershell julia tclsh wish expect m4 ed ex vi vim nvim view emacs gnuplot gdb lldb
   guile racket ghci scala groovy iex irb octave sbcl clisp bc dc choom chroot logsave run-parts start-stop-daemon setpriv capsh unshare nsenter
   systemd-run strace ltrace tmux screen fakeroot bwrap proot setarch prlimit busybox toybox entr crontab hash less more`.split(
    /\s+/,
  ),
);
const NUMERIC = /^-(?:eq|ne|lt|le|gt|ge|v|R)$/;

function programProblem(words: readonly string[], isFirst: boolean): string | undefined {
  const [first = '', ...rest] = words;
  const name = baseName(first);
  if (EVALUATORS.has(name) || /^ld[\w.-]*\.so/.test(name))
    return `is on a line with ${name}, which runs what it is given. Put that into a script.`;
  const isOpen = name === '[[' && (rest.at(-1) !== ']]' || rest.slice(0, -1).includes(']]'));
  if (isOpen || (name !== '[[' && rest.includes(']]')))
    return 'is on a line with a [[ ]] of several parts. Write [ ] for each part.';
  if (name === '[[' && rest.some((word) => NUMERIC.test(word)))
    return 'is on a line where [[ compares numbers, which runs what a variable has in an index. Write [ VALUE -gt 5 ].';
  if ((name === '[' || name === 'test') && rest.some((word) => /^-[vR]$/.test(word)))
    return `is on a line with ${name} -v, which runs what it finds in an index.`;
  if (READS_INPUT.some(([program, option]) => program.test(name) && rest.some((word) => option.test(word))))
    return `is on a line where ${name} reads its commands from its input. Give it a file.`;
  if (rest.some((word) => /^(?:--?[\w-]+=)?(?:-|\/dev\/\.*\/*(?:stdin|fd\/)|\/proc\/).*/.test(word)))
    return streamProblem(name, rest);
  if (isFirst || !isShellName(name)) return inputProblem(words);
  return undefined;
}

/** Programs that read commands from their input because of an option. */
const READS_INPUT: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^g?make$/, /^(?:-|-\w*f-|--\w+=-)$|\/(?:dev|proc)\//],
  [/^(?:python|pypy)[\d.]*$/, /^(?:-[A-Za-z]*i[A-Za-z]*|code|pdb|asyncio|idlelib)$/],
  [/^(?:node|nodejs|bun|deno|tsx)$/, /^(?:-i|--interactive)$/],
];

function streamProblem(name: string, rest: readonly string[]): string | undefined {
  const isStream = (word: string) => STREAM.test(word);
  const interpreter = findInterpreter(name);
  const runs = name === '.' || name === 'source' || interpreter !== undefined;
  const program = interpreter?.program;
  const reads = program === undefined ? rest.some(isStream) : readsProgram(rest, program);
  if (runs && reads)
    return `is on a line where ${name} may read its commands from its input. Give it a file or an option with code.`;
  return inputProblem([name, ...rest]);
}

/** Whether a filter reads its program from its input: a word after the option, or the option itself, names the input. */
function readsProgram(words: readonly string[], program: RegExp): boolean {
  return words.some((word, at) => {
    if (program.test(words[at - 1] ?? '') && STREAM.test(word)) return true;
    const [, option = '', file = ''] = /^(--[\w-]+(?==)|-[A-Za-z]+)=?((?:-$|\/).*)$/.exec(word) ?? [];
    return program.test(option) && STREAM.test(file);
  });
}

const STREAM = /^(?:-$|\/(?:.*\/)?(?:dev|proc)\/)/;

/** The command `e`, and the flag `e` of `s///`. */
const SED_RUNS =
  /(?:^|[;{}\n])[\s\d$,]*(?:\/[^/]*\/\s*)?e(?:\s|$)|s([^\w\s])(?:(?!\1).)*\1(?:(?!\1).)*\1[gpiIMm\d]*e/s;

/** Options of a shell without a value, which do not move its code. */
const SHELL_FLAGS = /^(?:-[eufxlnvabhkmpCBE]+|--(?:norc|noprofile|posix|login))$/;
const CODE_FLAGS = /^-[eufxlvabhkmpCBE]*c$/;

/** Why the code or file of a shell or interpreter is not certain. A shell must name it in the one form that leaves no doubt. */
function inputProblem([first = '', ...rest]: readonly string[]): string | undefined {
  const name = baseName(first);
  if (isShellName(name)) {
    const found = shellCode(rest);
    return found === undefined
      ? `is on a line with a ${name} whose code is not certain. Write ${name} -c 'command "$1"' ${name} VALUE, or ${name} file VALUE.`
      : undefined;
  }
  const interpreter = findInterpreter(name);
  if (interpreter === undefined) return undefined;
  if (/^g?sed$/.test(name) && rest.some((word) => SED_RUNS.test(word)))
    return 'is on a line where sed runs what it has read. Leave its command and its flag e out.';
  const isOptions = (word: string, at: number) =>
    word.startsWith('-') ||
    (interpreter.values?.[rest[at - 1] ?? ''] ?? 0) > 0 ||
    (interpreter.values?.[rest[at - 2] ?? ''] ?? 0) > 1;
  if (!rest.every(isOptions)) return undefined;
  if (rest.some((word) => /^--?(?:v|V|version|help|h)$/.test(word))) return undefined;
  return `is on a line where ${name} reads its commands from its input. Give it a file or an option with code.`;
}

/** The code or the file of a shell. */
function shellCode(words: readonly string[]): { code?: string; file?: string } | undefined {
  let at = 0;
  while (SHELL_FLAGS.test(words[at] ?? '') || words[at] === '-o')
    at += words[at] === '-o' && /^[a-z]+$/.test(words[at + 1] ?? '') ? 2 : words[at] === '-o' ? Infinity : 1;
  const word = words[at];
  if (word === undefined) return undefined;
  if (CODE_FLAGS.test(word)) {
    const code = words[at + 1];
    return code === undefined || /^[-+]/.test(code) ? undefined : { code };
  }
  return /^[-+]/.test(word) || MAY_BE_VALUE.test(word) ? undefined : { file: word };
}

function innerLines({ words, prefix, runs }: ShellLineCommand): string[] {
  const own = words.slice(prefix);
  const codes = own.flatMap((word, at) => {
    if (!isShellName(baseName(word)) || (at > 0 && !own[at + 1]?.startsWith('-'))) return [];
    return shellCode(own.slice(at + 1))?.code ?? [];
  });
  return [...new Set([...runs.lines, ...codes])];
}
