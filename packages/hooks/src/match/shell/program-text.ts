import { commandName } from './command-name.ts';
import { type ShellCommand, UNKNOWN } from './scan.ts';
import { sedRunsCommands } from './sed.ts';

/** How a program gets text in its own language, which can run other programs. */
interface Language {
  /** Options before the script's name that hold the text or that it follows. */
  readonly code: RegExp;
  /** Options that surely have no value: the next word is the script. */
  readonly flags?: RegExp;
  /** Options with which no text is read from the input: `-m` of python, `--version`. */
  readonly ends?: RegExp;
  /** Options with which the input is read behind the script, too. */
  readonly stays?: RegExp;
}

const VERSION = /^(?:-[vVh?]|--version|--help|-version|-help)$/;
const rows = <T>(names: string, row: T): [string, T][] => names.split(' ').map((name) => [name, row]);

/** Programs that run a script from a file, an option or their input. */
const languages: ReadonlyMap<string, Language> = new Map([
  ...rows<Language>('perl', {
    code: /^-[a-ln-zA-EGHJ-LN-Z0-9]*[eE]|^-[mM].*[^\w:=,.+-]/,
    flags: /^-[wWtTUXcnpals]+$/,
  }),
  ...rows<Language>('python pypy ipython bpython', {
    code: /^-[bBdEiIOPqRsStuvx]*c/,
    flags: /^-[bBdEiIOPqRsSuvx]+$/,
    ends: /^(?:-[bBdEiIOPqRsSuvx]*m.*)$/,
    stays: /^-[bBdEIOPqRsSuvx]*i/,
  }),
  ...rows<Language>('ruby jruby', { code: /^-[a-qs-zA-HJ-Z0-9]*e/, flags: /^-[wWdlnpasSU]+$/ }),
  ...rows<Language>('node nodejs tsx ts-node bun', {
    code: /^(?:-[a-zA-Z]*[ep][a-zA-Z]*$|--(?:eval|print)\b|(?:--[\w-]+=)?data:)/,
    flags:
      /^--(?:no-|watch$|test$|trace-(?!event)|inspect(?:-brk)?$|expose|enable-|experimental-(?!loader|default|config))/,
    ends: /^(?:--(?:test|v8-options)|x|run|test|install|i|add|build|pm|create|init|upgrade|--check|-c)$/,
  }),
  ...rows<Language>('php', {
    code: /^-[a-zA-Z]*[rRBE]|^--(?:run|process-(?:code|begin|end))|auto_(?:pre|ap)pend/,
    flags: /^-[nqCl]$/,
    ends: /^-[im]$|^--(?:ini|info|modules|rf|rc|re)\b|^-S/,
  }),
  ...rows<Language>(
    'lua luajit tclsh wish guile julia Rscript osascript expect scala groovy elixir octave racket swift raku bb kotlin mongo mongosh',
    {
      code: /^-[A-Za-z]*[cegE]|^--?eval|^--print/,
    },
  ),
]);

/** Programs whose own commands can run others, and the words or input texts that are such commands. */
interface Commands {
  readonly word: RegExp;
  /** What runs something in a here-document. */
  readonly fed?: RegExp;
  /** Without one of these words, it reads commands from its input. */
  readonly unless?: RegExp;
}

const AWK = /^(?:g|m|n|original-|go)?awk$/;
const ANY = /^/;
const SHELL_ESCAPE = /!/;

const commands: ReadonlyMap<string, Commands> = new Map([
  ...rows<Commands>('ed red', { word: SHELL_ESCAPE, fed: SHELL_ESCAPE, unless: /^--(?:version|help)$/ }),
  ...rows<Commands>('vi vim nvim view gvim vimdiff gview rvim', {
    word: /^(?:-c.+|--cmd(?:=.*)?|-[eE]s?|-es)$|^\+(?!\d*$|\/[\w .-]*$|q(?:a|all)?!?$|\$$)|!|system\s*\(/,
    fed: ANY,
  }),
  ...rows<Commands>('ex', { word: SHELL_ESCAPE, fed: ANY, unless: /^--(?:version|help)$/ }),
  ...rows<Commands>('emacs', { word: /^--?(?:eval|execute|funcall|f$)/ }),
  ...rows<Commands>('apt apt-get aptitude', {
    word: /(?:Invoke|Post|Pre-Install|Dir::Bin|Run|Proxy-Auto|Auto-Detect).*=/i,
  }),
  ...rows<Commands>('dpkg', { word: /^--(?:pre|post)-invoke/ }),
  ...rows<Commands>('rpm rpmbuild', { word: /^-\w*E|^--(?:eval|define|pipe)|%\(/ }),
  ...rows<Commands>('deno', { word: /^(?:eval|repl|-|data:.*)$/ }),
  ...rows<Commands>('pwsh powershell', { word: /^[-/](?:c|e)/i, fed: ANY, unless: /^[^-]|^-f/i }),
  ...rows<Commands>('erl ghc ghci iex gnuplot jshell irb swipl sbcl clojure clj ocaml R', {
    word: /^-(?:e|E|g|eval|run|s)$|^--eval/,
    fed: ANY,
  }),
  ...rows<Commands>('m4', { word: /syscmd|^-$/, fed: /syscmd/ }),
  ...rows<Commands>('make gmake bmake', {
    word: /^-(?!-)\w*(?:f-$|E)|^--eval|^(?:-\w*f|--(?:file|makefile)=)?(?:-|\/dev\/.*|.*\uFFFF)$|^\.?SHELL(?:FLAGS)?[:+?]?=|\$[({]shell|!=/,
    fed: /^$/,
  }),
  ...rows<Commands>('crontab', { word: /^-$|^\/dev\/|\uFFFF/, fed: ANY, unless: /^(?:-\w*[lri].*|[^-].*)$/ }),
  ...rows<Commands>('gdb lldb', {
    word: /^(?:python|pi|py|script|platform|source|pipe|guile|gu|make)\b|=(?:python|shell|pi|py|pipe)\b/,
    fed: ANY,
  }),
  ...rows<Commands>('less more most', { word: /^\+.*(?:!|\||#)/ }),
  ...rows<Commands>('nmap', { word: /^--(?:script|interactive)/ }),
  ...rows<Commands>('sqlite3 sqlite', {
    word: /^\s*\.(?:shell|system|sh|sy|once|o|output|excel|import|load|read|www)|edit\s*\(|load_extension|\n\s*\./i,
    fed: /^\s*\.(?!tables|schema|mode|headers|quit|exit)|edit\s*\(|load_extension/im,
    unless: /\s|^\.|^-version$|^--version$/,
  }),
  ...rows<Commands>('psql', {
    word: /\\|\bprogram\b|\bplp|\bplsh/i,
    fed: /\\|\bprogram\b/i,
    unless: /^(?:-\w*[cfl].*|--(?:command|file|list).*|-V|--version|--help)$/,
  }),
  ...rows<Commands>('mysql mariadb', {
    word: /\\!|^(?:-\w*e|--execute=)?\s*system\b|[;\n]\s*system\b|^--pager|\\P|\bpager\b/i,
    fed: /\\|^\s*(?:system|pager)\b|[;\n]\s*(?:system|pager)\b/i,
    unless: /^(?:-\w*e.*|--execute.*|-V|--version|--help)$/,
  }),
  ...rows<Commands>('ftp lftp sftp telnet dc', { word: /!/, fed: SHELL_ESCAPE }),
  ...rows<Commands>('salt salt-call salt-run salt-ssh', {
    word: /[,=]cmd\.|\bcmd\.\w+,|\bcmd\.exec_code|^state\.(?:single|high|template\w*)$/,
  }),
  ...rows<Commands>('tcpdump', { word: /^-\w*z/ }),
  ...rows<Commands>('wget', { word: /^--use-askpass|^use_?askpass\b/i }),
  ...rows<Commands>('hg cargo', { word: /^--config(?:=|$)/ }),
  ...rows<Commands>('gh glab', { word: /^(?:!|--shell$)/ }),
  ...rows<Commands>('fzf', { word: /^--bind|\b(?:execute|become|reload|transform)\b/ }),
  ...rows<Commands>('tmux byobu', { word: /^(?:bind|set-hook|if)|^(?:run|if)-shell / }),
  ...rows<Commands>('aws az', { word: /^(?:send-command|run-command)$/ }),
  ...rows<Commands>('socat', { word: /(?:^|[,!:])\s*(?:exec|system|shell)\b/i }),
  ...rows<Commands>('nc ncat netcat', { word: /^-\w*[ec]|^--(?:sh-|lua-)?exec/ }),
]);

/** The names of all these programs. */
export const programs: readonly string[] = ['sed', 'awk', 'gawk', ...languages.keys(), ...commands.keys()];

/**
 * Whether a command gets text in a language other than the shell's that may run any command: code in an option or input that is
 * not read here, or a command of its own language that starts a shell.
 * @param start the index of the command's first word
 */
export function runsUnreadText(
  words: readonly string[],
  start: number,
  fedBy: Pick<ShellCommand, 'scripts' | 'readsFile'>,
): boolean {
  const own = words.slice(start + 1);
  const name = commandName(words[start]);
  const plain = name.replace(/[-.\d]+$/, '');
  if (name === 'sed' || name === 'gsed') return sedRunsCommands(own);
  if (AWK.test(name)) return awkRunsCommands(own);
  const language = languages.get(name) ?? languages.get(plain);
  if (language !== undefined) return runsCode(language, own, fedBy);
  const row = commands.get(name) ?? commands.get(plain);
  return row !== undefined && runsOwnCommand(row, own, fedBy);
}

/** Python modules that run a given text or read one from their input. */
const RUNS_TEXT = /(?:^| )(?:-\w*?m|--module)[ =]?(?:timeit|pdb|code|idlelib|IPython|asyncio)(?: |$)/;
/** And those that run a file, with one that is not read here. */
const RUNS_INPUT =
  /(?:^| )(?:-\w*?m|--module)[ =]?(?:c?Profile|profile|trace|runpy)(?= )[\s\S]* (?:\/(?:dev|proc)\/|-(?: |$))/;

const runsGivenText = (rest: string): boolean => RUNS_TEXT.test(rest) || RUNS_INPUT.test(rest);

/** Reads up to the script's name; later words belong to the script. */
function runsCode(
  { code, flags, ends, stays }: Language,
  own: readonly string[],
  { scripts, readsFile }: Pick<ShellCommand, 'scripts' | 'readsFile'>,
): boolean {
  const isFedPrints = readsFile !== true && scripts.length > 0 && scripts.every(onlyPrints);
  let isSettled = true;
  let hasCode = false;
  let readsOn = false;
  for (let at = 0; at < own.length; at++) {
    const word = own[at] as string;
    if (stays?.test(word) === true) readsOn = !isFedPrints;
    if (code.test(word)) {
      if (!/^-\w+$/.test(word) || !onlyPrints(own[++at] ?? UNKNOWN)) return true;
      hasCode = true;
    } else if (isUnreadFile(word)) return !(word === '-' && isFedPrints);
    else if (VERSION.test(word)) return false;
    else if (ends?.test(word) === true && (isSettled || word.startsWith('-')))
      return readsOn || runsGivenText(own.slice(at).join(' '));
    else if (word.startsWith('-')) isSettled = word.includes('=') || flags?.test(word) === true;
    else if (isSettled) return readsOn;
    else isSettled = true;
  }
  return !hasCode && !isFedPrints;
}

/** A line that prints a plain text or a number. */
const PRINTS =
  /^(?:print|puts|echo|console\.log)[ (] ?(?:"[^"\\$#`{@\uFFFF]*"|'[^'\\$#`{@\uFFFF]*'|\d+)\)?;?$/;

/** Whether a program surely only prints, so that a text which names a command does not count as one. */
function onlyPrints(text: string): boolean {
  return text.split('\n').every((line) => line.trim() === '' || PRINTS.test(line.trim()));
}

/** Whether a word is the input, a descriptor, or a file whose name only the shell will know. */
function isUnreadFile(word: string): boolean {
  if (word.startsWith('-') && word !== '-') return false;
  return (
    word === '-' || /^\/(?:dev|proc)\//.test(word) || word.slice(word.lastIndexOf('/') + 1).includes(UNKNOWN)
  );
}

function runsOwnCommand(
  { word, fed, unless }: Commands,
  own: readonly string[],
  { scripts, readsFile }: Pick<ShellCommand, 'scripts' | 'readsFile'>,
): boolean {
  if (own.some((one) => word.test(one))) return true;
  if (fed === undefined) return false;
  if (scripts.length > 0) return scripts.some((text) => fed.test(text) || text.includes(UNKNOWN));
  return unless !== undefined && !readsFile && !own.some((one) => unless.test(one));
}

/** What starts a program, loads code, or calls a function whose name is computed at run time. */
const RUNS = /\bsystem\s*\(|getline|@|print[\s\S]*\||\|[\s\S]*print/;
const TAKES_VALUE = /^(?:-[FvfW]|-m[fr]|--(?:field-separator|assign|file))$/;
/** Values of `-W` with code: `exec`, `source`, `file`, `include`, `load`. */
const W_HAS_CODE = /^(?:e|so|f|inc|l)/i;
/** Gawk options with code: extensions, included files, `-e`. */
const HAS_CODE = /^(?:-(?!-)\w*[lEie]|--(?:load|exec|include|source))/;
const FILE = /^(?:-f|--file=)(.+)$/;

/** Whether an awk program runs commands, or may because it cannot be read. `-f FILE` is a file like any script. */
function awkRunsCommands(own: readonly string[]): boolean {
  let hasProgram = false;
  for (const [at, word] of own.entries()) {
    const before = own[at - 1] ?? '';
    const file = /^(?:-f|--file)$/.test(before) ? word : FILE.exec(word)?.[1];
    if (file !== undefined) {
      if (file === '-' || /^\/(?:dev|proc)\//.test(file) || file.includes(UNKNOWN)) return true;
      hasProgram = true;
    } else if (word.startsWith('-')) {
      if (HAS_CODE.test(word)) return true;
    } else if (before === '-W' && W_HAS_CODE.test(word)) {
      return true;
    } else if (!TAKES_VALUE.test(before)) {
      return !hasProgram && (word.includes(UNKNOWN) || RUNS.test(word.replace(/\|\||\\\r?\n/g, ' ')));
    }
  }
  return false;
}
