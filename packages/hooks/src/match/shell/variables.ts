import { UNKNOWN } from './scan.ts';

/** Variables whose value is a program or a line to run, and names that say so. */
const NAMES_PROGRAM =
  /^(?:GIT_(?:CONFIG_VALUE_\d+|SSH|EXTERNAL_DIFF)|PAGER|EDITOR|VISUAL|FCEDIT|BROWSER|LESSOPEN|LESSCLOSE|LESSEDIT|MANPAGER|HGEDITOR|SVN_SSH|BASH_ENV|ENV|PS[0-4]|SHELL|RUSTC|RUSTDOC|CC|CXX|CPP|LD|AR|HOSTCC|(?:npm_config|NPM_CONFIG)_(?:script_shell|SCRIPT_SHELL|shell|git|editor|viewer)|\w+_(?:COMMAND|PAGER|EDITOR|BROWSER|ASKPASS|WRAPPER|RSH|RUNNER|LINKER|EXTERNAL_DIFF))$/;

/** Variables with options of a program. */
const OPTIONS_OF: ReadonlyMap<string, string> = new Map([
  ['TAR_OPTIONS', 'tar'],
  ['MAKEFLAGS', 'make'],
  ['GNUMAKEFLAGS', 'make'],
  ['MANOPT', 'man'],
  ['LESS', 'less'],
  ['GOFLAGS', 'go'],
  ['ZIPOPT', 'zip'],
]);

const ANY_VALUE = /[\s\S]/;
const ANY_FILE = /^(?!\/dev\/null$)[\s\S]/;
const JAVA = /agent|OnError|OnOutOfMemoryError|bootclasspath/;
const ERLANG = /(?:^|\s)-(?:eval|run|s)\b/;

const rows = (names: string, pattern: RegExp): [string, RegExp][] =>
  names.split(' ').map((name) => [name, pattern]);

/** Variables through which a program loads code or settings that name code, and the values that make it do so. */
const LOADS_CODE: ReadonlyMap<string, RegExp> = new Map<string, RegExp>([
  ['PERL5OPT', /[mMdI]/],
  ['PERL5DB', ANY_VALUE],
  ['RUBYOPT', /(?:^|\s)-?(?!-)\w*[rI]/],
  // Node takes `_` for `-`. What ends in `file`, `config` or `policy` names a file with more options, or code.
  [
    'NODE_OPTIONS',
    /(?:^|\s)["']?(?:-r\b|--(?:require|import|(?:[\w-]+[-_])?loader|[\w-]+[-_](?:file|config|policy)|env[-_]file[\w-]*)\b)/,
  ],
  ['BUN_OPTIONS', /(?:^|\s)(?:-r|--(?:require|import|preload|eval|print)|-[ep])\b/],
  ['PYTHONSTARTUP', ANY_FILE],
  ['PYTHONBREAKPOINT', /[^0]/],
  // Python imports the class of a warning: `all:0:module.Class`.
  ['PYTHONWARNINGS', /:[^:,]*:[^:,]*\./],
  ...rows('DOTNET_STARTUP_HOOKS COR_PROFILER_PATH CORECLR_PROFILER_PATH', ANY_VALUE),
  ...rows('GTK_MODULES GTK3_MODULES OPENSSL_ENGINES OPENSSL_MODULES', ANY_VALUE),
  ...rows('R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER', ANY_FILE),
  ...rows('PHPRC PHP_INI_SCAN_DIR OPENSSL_CONF WGETRC CURL_HOME', ANY_FILE),
  ['GIT_CONFIG_PARAMETERS', ANY_VALUE],
  ['GIT_CONFIG_GLOBAL', ANY_FILE],
  ['GIT_CONFIG_SYSTEM', ANY_FILE],
  ['GIT_EXEC_PATH', ANY_VALUE],
  ['LUA_INIT', ANY_VALUE],
  ['VIMINIT', /!|system|source|:so/],
  ['EXINIT', /!|system|source|:so/],
  ...rows('JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS JAVA_OPTS CATALINA_OPTS', JAVA),
  ...rows('MAVEN_OPTS GRADLE_OPTS SBT_OPTS ANT_OPTS LEIN_JVM_OPTS KAFKA_OPTS', JAVA),
  ['ERL_FLAGS', ERLANG],
  ['ERL_AFLAGS', ERLANG],
  ['ERL_ZFLAGS', ERLANG],
  ['ELIXIR_ERL_OPTIONS', ERLANG],
  ['LD_PRELOAD', ANY_VALUE],
  ['LD_AUDIT', ANY_VALUE],
  ['DYLD_INSERT_LIBRARIES', ANY_VALUE],
  ['GOFLAGS', /-(?:tool)?exec|vettool/],
  ['LESS', /[!|#]/],
  ['MANOPT', /-\w*[PH]|--(?:pager|html)/],
]);

const VARIABLE = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/;

/** The lines that programs run because a word sets variables. */
export function listLinesOfVariable(word: string): string[] {
  const [, name = '', value = ''] = VARIABLE.exec(word) ?? [];
  const program = OPTIONS_OF.get(name);
  if (program !== undefined) return [`${program} ${value}`];
  return NAMES_PROGRAM.test(name) ? [value.replace(/^!/, '')] : [];
}

/** Whether a word sets a variable that makes, or may make, a program run code that is not read here. */
export function loadsCode(word: string): boolean {
  const [, name = '', value = ''] = VARIABLE.exec(word) ?? [];
  if (NAMES_PROGRAM.test(name) && value.includes(UNKNOWN)) return true; // A shell reads it once more.
  const pattern = LOADS_CODE.get(name.replace(/^(LUA_INIT)_\d+_\d+$/, '$1'));
  return pattern !== undefined && (pattern.test(value) || value.includes(UNKNOWN));
}
