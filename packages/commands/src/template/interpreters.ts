/** A program that runs code given to it as an argument. */
export interface CodeInterpreter {
  readonly name: RegExp;
  /** Options that code follows. */
  readonly code?: RegExp;
  /** Options with values that are not code, and how many values each has. */
  readonly values?: Readonly<Record<string, number>>;
  /** Of these options, those that hand over data: a value may stand there. */
  readonly data?: RegExp;
  /** Options that name the file of its program. If that file is its input, it runs what it reads. */
  readonly program?: RegExp;
  /** Also takes options after its operands, unless a `--` comes before them. */
  readonly permutes?: boolean;
  /** The safe way; VALUE stands for the placeholder. */
  readonly instead: string;
}

/** Programs whose first operand is code or a file of code, unless an option gave it. */
export const codeInterpreters: readonly CodeInterpreter[] = [
  {
    name: /^(?:sh|bash|dash|ash|zsh|ksh|mksh|fish)$/,
    values: { '-o': 1, '+o': 1, '-O': 1, '+O': 1, '--rcfile': 1, '--init-file': 1 },
    instead: `sh -c 'command "$1"' sh VALUE`,
  },
  {
    name: /^(?:python|pypy)[\d.]*$/,
    code: /^-[A-Za-z]*c$/,
    values: { '-W': 1, '-X': 1 },
    instead: `python3 -c 'import sys; print(sys.argv[1])' -- VALUE`,
  },
  {
    name: /^(?:[gmn]?awk)$/,
    code: /^(?:-e|--source|-i|--include)$/,
    values: { '-v': 1, '-F': 1, '-f': 1, '--assign': 1 },
    data: /^(?:-v|--assign)$/,
    program: /^(?:-[fEil]|--(?:f|ex|i|l)\w*)$/,
    instead: `V=VALUE awk 'BEGIN { print ENVIRON["V"] }'`,
  },
  {
    name: /^g?sed$/,
    code: /^(?:-[A-Za-z]*e|--expression)$/,
    values: { '-f': 1, '--file': 1, '-l': 1 },
    program: /^(?:-[A-Za-z]*f|--f\w*)$/,
    permutes: true,
    instead: `sed 's/a/b/' -- VALUE`,
  },
  {
    name: /^(?:perl|ruby)[\d.]*$/,
    code: /^-[A-Za-z0-9]*[eE]$/,
    values: { '-I': 1, '-r': 1 },
    instead: `perl -e 'print $ARGV[0]' -- VALUE`,
  },
  {
    name: /^(?:node|nodejs|bun|deno|tsx)$/,
    code: /^(?:-e|--eval|-p|--print|-pe|eval)$/,
    values: { '-r': 1, '--require': 1, '--import': 1, '--loader': 1, '-C': 1, '--conditions': 1 },
    instead: `node -e 'console.log(process.argv[1])' -- VALUE`,
  },
  {
    name: /^(?:php[\d.]*|lua[\d.]*|Rscript|osascript|expect)$/,
    code: /^-[reBREc]$/,
    values: { '-d': 1, '-l': 1 },
    instead: `php -r 'echo $argv[1];' -- VALUE`,
  },
  {
    name: /^jq$/,
    values: { '--arg': 2, '--argjson': 2, '--slurpfile': 2, '--rawfile': 2, '--indent': 1, '-L': 1, '-f': 1 },
    data: /^--(?:arg|argjson|slurpfile|rawfile)$/,
    program: /^(?:-[A-Za-z]*f|--from-file)$/,
    instead: `jq -n --arg v VALUE '$v'`,
  },
];

/** Commands that run, expand or look up any of their words as a shell would. */
export const evaluates: ReadonlySet<string> = new Set(
  `eval ssh watch parallel su runuser script at batch trap let alias source . compgen complete enable bind fc unset
   read mapfile readarray getopts make gmake sqlite3 psql mysql mariadb`.split(/\s+/),
);

/** Commands that declare variables: `NAME=value` is safe, but a value must not become the name. */
export const declares: ReadonlySet<string> = new Set('declare typeset local export readonly'.split(' '));

const SHELL = /^(?:sh|bash|dash|ash|zsh|ksh|mksh|fish|rbash)$/;

export function isShellName(name: string): boolean {
  return SHELL.test(name);
}

export function findInterpreter(name: string): CodeInterpreter | undefined {
  return codeInterpreters.find((known) => known.name.test(name));
}

/** The name of a program or a file without its folder. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** Assignments to variables that tell shells and programs what to run. */
export const TELLS_A_SHELL: RegExp =
  /^(?:BASH_ENV|ENV|PS4|S?RANDOM|SECONDS|OPTIND|HISTCMD|FUNCNEST|PATH|IFS|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|LD_\w+|DYLD_\w+|GIT_\w+|\w*(?:EDITOR|PAGER|ASKPASS|BROWSER|_RSH|_SSH)|VISUAL|LESSOPEN|LESSCLOSE|NODE_(?:OPTIONS|PATH)|PYTHON\w+|PERL5\w+|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|MAKEFLAGS|TAR_OPTIONS|npm_config_\w+)\+?=/i;
