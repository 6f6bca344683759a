/** A language whose scripts can be searched for what they load. */
export type Language =
  | 'shell'
  | 'javascript'
  | 'python'
  | 'perl'
  | 'awk'
  | 'sed'
  | 'jq'
  | 'applescript'
  | 'data';

/**
 * What follows an option of an interpreter: `code`, a `file` with it, a `module`, a `value` that runs nothing, at most a value
 * `attached` to it, or nothing (`flag`). After `input` it reads code from its input.
 */
export type OptionSort = 'code' | 'file' | 'module' | 'value' | 'attached' | 'flag' | 'input' | 'line';

/** How a program that runs scripts reads its arguments. Nobody has examined an option that is not listed. */
export interface Interpreter {
  readonly name: RegExp;
  readonly language: Language;
  /** By letter, as in `-c`; several may follow one `-`. */
  readonly letters: Readonly<Record<string, OptionSort>>;
  /** By whole word. */
  readonly words: readonly (readonly [RegExp, OptionSort])[];
  /** What its first operand is if no option gave it code: default `file`. */
  readonly operand?: 'code';
  /** Options may come after operands. */
  readonly permutes?: true;
  /** A word before the file, such as `run`. A word that does not look like a file is a subcommand or a script of the project. */
  readonly subcommand?: RegExp;
  /** Files that it also reads in its working folder or in the home folder (`~/`). */
  readonly alsoReads?: readonly string[];
}

function letters(sorts: Readonly<Partial<Record<OptionSort, string>>>): Record<string, OptionSort> {
  return Object.fromEntries(
    Object.entries(sorts).flatMap(([sort, list]) =>
      Array.from(list).map((letter) => [letter, sort as OptionSort]),
    ),
  );
}

const ABOUT: readonly [RegExp, OptionSort] = [/^--(?:version|help)$/, 'flag'];

const javascript: Pick<Interpreter, 'language' | 'letters' | 'words'> = {
  language: 'javascript',
  letters: letters({ code: 'ep', file: 'r', flag: 'cvh', value: 'C' }),
  words: [
    ABOUT,
    [/^-pe$|^--(?:eval|print)$/, 'code'],
    [
      /^--(?:require|import|preload|loader|experimental-loader|experimental-config-file|experimental-policy|env-file|env-file-if-exists|tsconfig|config)$/,
      'file',
    ],
    [/^--(?:conditions|input-type|title|stack-trace-limit|max-old-space-size|max-semi-space-size)$/, 'value'],
    [
      // An option with such an end names a file, or makes Node find one. Node takes `_` for `-`: nobody writes that, so it counts as unknown.
      /^--(?!.*-(?:file|config|policy)$)(?:allow|no|trace|enable|disable|experimental|unhandled|harmony|throw|pending|use|preserve)-[a-z\d-]+$/,
      'flag',
    ],
    [/^--(?:quiet|silent|smol|bun|permission|abort-on-uncaught-exception)$/, 'flag'],
  ],
};

/** Programs that run scripts, and how they read their arguments. */
export const interpreters: readonly Interpreter[] = [
  {
    name: /^(?:sh|bash|dash|ash|ksh|mksh)$/,
    language: 'shell',
    letters: letters({ line: 'c', value: 'oO', flag: 'abefhkmnptuvxBCEHPT', input: 's' }),
    words: [
      ABOUT,
      [/^--(?:posix|norc|noprofile|verbose|restricted)$/, 'flag'],
      [/^--(?:rcfile|init-file)$/, 'file'],
    ],
  },
  {
    name: /^zsh$/,
    language: 'shell',
    letters: letters({ line: 'c', value: 'o', flag: 'efhkmnptuvx', input: 's' }),
    words: [ABOUT],
    alsoReads: ['~/.zshenv'],
  },
  {
    name: /^(?:python|pypy)[\d.]*$/,
    language: 'python',
    letters: letters({ code: 'c', module: 'm', value: 'WX', flag: 'bBdEIOqsSuvxPVh' }),
    words: [ABOUT, [/^--check-hash-based-pycs$/, 'value']],
  },
  { name: /^(?:node|nodejs)$/, ...javascript },
  { name: /^(?:tsx|ts-node)$/, ...javascript, alsoReads: ['tsconfig.json', 'package.json'] },
  {
    name: /^bun$/,
    ...javascript,
    subcommand: /^run$/,
    alsoReads: ['bunfig.toml', '~/.bunfig.toml', 'tsconfig.json', 'package.json'],
  },
  {
    name: /^deno$/,
    ...javascript,
    letters: letters({ flag: 'Aqh', file: 'c' }),
    subcommand: /^run$/,
    alsoReads: ['deno.json', 'deno.jsonc', 'package.json'],
  },
  {
    name: /^perl[\d.]*$/,
    language: 'perl',
    letters: letters({ code: 'eE', flag: 'acnpswWtTuUXv', attached: 'lF0CiD' }),
    words: [ABOUT],
  },
  {
    name: /^[gmn]?awk$/,
    language: 'awk',
    letters: letters({ file: 'fE', value: 'vF', code: 'e' }),
    words: [
      ABOUT,
      [/^--(?:file|exec)$/, 'file'],
      [/^--(?:assign|field-separator)$/, 'value'],
      [/^--source$/, 'code'],
    ],
    operand: 'code',
  },
  {
    name: /^g?sed$/,
    language: 'sed',
    letters: letters({ file: 'f', code: 'e', flag: 'nErsuz', value: 'l', attached: 'i' }),
    words: [
      ABOUT,
      [/^--file$/, 'file'],
      [/^--expression$/, 'code'],
      [/^--(?:quiet|silent|regexp-extended|in-place|separate|null-data|posix)$/, 'flag'],
    ],
    operand: 'code',
    permutes: true,
  },
  {
    name: /^osascript$/,
    language: 'applescript',
    letters: letters({ code: 'e', value: 'ls', flag: 'i' }),
    words: [ABOUT],
  },
];

const splitNames = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Programs that run code that a project defines or contains. The line does not show which code. */
export const projectRunners: ReadonlySet<string> = splitNames(`
  make gmake fab inv invoke npm npx pnpm pnpx yarn yarnpkg bunx corepack run-parts just task rake tox nox pytest py.test jest vitest mocha ava playwright
  cypress eslint prettier stylelint webpack vite rollup gulp grunt turbo nx lerna lefthook husky pre-commit lint-staged commitlint cargo go mvn mvnw
  gradle gradlew ant bazel bazelisk buck2 cmake ctest ninja meson scons composer bundle bundler gem pip pip3 pipx uv uvx poetry pdm hatch pipenv
  conda mamba mise asdf direnv nix nix-shell nix-build devbox docker docker-compose podman vagrant ansible ansible-playbook terraform ssh su at
  batch crontab systemd-run watchman watchexec nodemon concurrently entr expect screen tmux vi vim nvim ex emacs gdb lldb ruby irb php lua luajit
  pwsh powershell Rscript fish csh tcsh tclsh java javac kotlin scala sbt dotnet swift dart flutter mix elixir erl stack cabal ghc runghc
  zig perlbrew phpunit phpstan psalm mypy pylint flake8 rubocop rspec rails alias hash enable complete
  compgen bind coproc capsh choom ed gcc g++ cc clang tcc start-stop-daemon nsenter setpriv bwrap firejail qemu-x86_64`);

/** Programs that read code from their input if they get no file. */
export const readers: ReadonlySet<string> = splitNames(
  'sqlite3 psql mysql mariadb m4 julia guile R octave gnuplot',
);

/** Subcommands of git that run hooks or programs from a configuration. */
export const gitRunners: ReadonlySet<string> =
  splitNames(`commit merge push pull rebase am checkout switch clone cherry-pick revert worktree gc fetch submodule bisect
  filter-branch mergetool difftool hook -c --exec-path --config-env`);

/** Commands that run nothing, whatever their words. */
export const harmless: ReadonlySet<string> = splitNames(`
  : [ [[ break basename cat cd chmod chown cksum cmp column comm continue cp curl cut date declare df diff dirname du echo exit export
  expand expr false file fold git grep egrep fgrep rg hash head hostname id install join jq kill less ln local logger ls mapfile md5sum
  mkdir mkfifo mktemp more mv nl notify-send od paste pgrep printf ps pushd popd pwd read readarray readlink readonly realpath return rm rmdir say
  seq set sha1sum sha256sum shift shasum shuf sleep sort split stat stty sum tac tail tee test touch tr trap true truncate tty type typeset ulimit
  umask uname unexpand uniq unset wait wc wget which who whoami xxd yes zcat tput terminal-notifier afplay aplay paplay for case select builtin caffeinate
  chroot command doas env eval exec find flock ionice nice nohup parallel setsid stdbuf sudo time timeout unshare watch xargs`);

/** Variables that decide what programs load, or from where. */
export const LOADS: RegExp =
  /^(?:PATH|CDPATH|BASH_ENV|ENV|ZDOTDIR|HOME|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|IFS|LD_\w+|DYLD_\w+|PYTHON\w+|NODE_\w+|PERL\w+|RUBY\w+|GEM_\w+|BUN_\w+|DENO_\w+|AWK\w+|GIT_\w+|EDITOR|VISUAL|PAGER|SHELL|MAKEFLAGS|MAKEFILES|XDG_\w+|JAVA_\w+|RIPGREP_\w+|CURL_HOME|WGETRC)$/;
