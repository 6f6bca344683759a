import { type ShellCommand, UNKNOWN } from './scan.ts';
import { sedRunsCommands } from './sed.ts';
import { commandName } from './wrappers.ts';

/** How a program is given text in a language of its own, in which other programs can be run. */
interface Language {
  /** Options that hold the text, or are followed by it, before the name of a script. */
  readonly code: RegExp;
  /** Options that surely have no value behind them: the word after one of them is the script. */
  readonly flags?: RegExp;
  /** Options that say that no text is read from the input: `-m` of python, `--version`. */
  readonly ends?: RegExp;
}

const VERSION = /^(?:-[vVh?]|--version|--help|-version|-help)$/;
const rows = <T>(names: string, row: T): [string, T][] => names.split(' ').map((name) => [name, row]);

/** Programs that run a script: a file, a text behind an option, or what they read from their input. */
const languages: ReadonlyMap<string, Language> = new Map([
  ...rows<Language>('perl', {
    code: /^-[a-ln-zA-EGHJ-LN-Z0-9]*[eE]|^-[mM].*[^\w:=,.+-]/,
    flags: /^-[wWtTUXcnpals]+$/,
  }),
  ...rows<Language>('python pypy ipython bpython', {
    code: /^-[bBdEiIOPqRsStuvx]*c/,
    flags: /^-[bBdEiIOPqRsSuvx]+$/,
    ends: /^(?:-[bBdEiIOPqRsSuvx]*m.*)$/,
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
    'lua luajit tclsh wish guile julia Rscript osascript expect scala groovy elixir octave racket',
    {
      code: /^-[A-Za-z]*[cegE]|^--?eval|^--print/,
    },
  ),
]);

/** Programs whose own commands run others: what makes a word, or a text that is sent to them, such a command. */
interface Commands {
  readonly word: RegExp;
  /** What in a here-document runs something. */
  readonly fed?: RegExp;
  /** Without one of these it reads commands from its input. */
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

/**
 * Whether a command is given text in another language than the shell's that may run any command: code behind an option or in its input
 * that is not read, a command of its own language that starts a shell.
 * @param start the word at which the command begins
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

/** Modules of Python that run the text that they are given, or read it from their input. */
const RUNS_TEXT = /^-\w*?m ?(?:timeit|pdb|code|idlelib|IPython|asyncio)(?: |$)/;

/** Reads up to the name of the script; what stands behind it is the script's. */
function runsCode(
  { code, flags, ends }: Language,
  own: readonly string[],
  { scripts, readsFile }: Pick<ShellCommand, 'scripts' | 'readsFile'>,
): boolean {
  const isFedPrints = readsFile !== true && scripts.length > 0 && scripts.every(onlyPrints);
  let isSettled = true;
  let hasCode = false;
  for (let at = 0; at < own.length; at++) {
    const word = own[at] as string;
    if (code.test(word)) {
      if (!/^-\w+$/.test(word) || !onlyPrints(own[++at] ?? UNKNOWN)) return true;
      hasCode = true;
    } else if (isUnreadFile(word)) return !(word === '-' && isFedPrints);
    else if (VERSION.test(word)) return false;
    else if (ends?.test(word) === true) return RUNS_TEXT.test(`${word} ${own[at + 1] ?? ''}`);
    else if (word.startsWith('-')) isSettled = word.includes('=') || flags?.test(word) === true;
    else if (isSettled) return false;
    else isSettled = true;
  }
  return !hasCode && !isFedPrints;
}

/** One line that prints a plain text or a number. */
const PRINTS =
  /^(?:print|puts|echo|console\.log)[ (] ?(?:"[^"\\$#`{@\uFFFF]*"|'[^'\\$#`{@\uFFFF]*'|\d+)\)?;?$/;

/** Whether a program surely does nothing but print, so that a text that only names a command is no command. */
function onlyPrints(text: string): boolean {
  return text.split('\n').every((line) => line.trim() === '' || PRINTS.test(line.trim()));
}

/** The input, a descriptor, or a file of which only the shell will know the name. */
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

/** What starts a program, loads code, or calls a function by a name that is made up while it runs. */
const RUNS = /\bsystem\s*\(|getline|@|print[\s\S]*\||\|[\s\S]*print/;
const TAKES_VALUE = /^(?:-[Fvf]|--(?:field-separator|assign|file))$/;
/** Options of gawk with code of their own: extensions, included files, `-e`. */
const HAS_CODE = /^(?:-(?!-)\w*[lEie]|--(?:load|exec|include|source))/;
const FILE = /^(?:-f|--file=)(.+)$/;

/** Whether a program of awk runs commands, or may, because it cannot be read. `-f FILE` is a file like any script. */
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
    } else if (!TAKES_VALUE.test(before)) {
      return !hasProgram && (word.includes(UNKNOWN) || RUNS.test(word.replaceAll('||', ' ')));
    }
  }
  return false;
}
