import { linesIn, sshLines } from './inner-lines.ts';
import { launchers, READS_COMMANDS, RUNS_AS_SETTING, SHELL, WAITS_FOR_COMMANDS } from './launchers.ts';
import { type ShellCommand, UNKNOWN } from './scan.ts';

/**
 * Commands that hand a text to a shell. That shell also reads what the first shell expanded in the text:
 * `ssh host "ls $X"` runs a command after a `;` in the variable.
 */
interface Handing {
  /** Options whose value is such a text, attached or not. */
  readonly options?: RegExp;
  /** Only before all operands: after an operand, options belong to the command that it names. */
  readonly areFirst?: true;
  /** How many operands come before the words that a shell reads; absent if it reads no words. */
  readonly operands?: number;
  /** The words come after one of these, such as `shell` of `adb`. */
  readonly behind?: RegExp;
  /** Options before the words that have their own value. */
  readonly values?: RegExp;
  /** Options before the words with which no shell runs. */
  readonly unless?: RegExp;
  /** Options without which no shell runs. */
  readonly needs?: RegExp;
  /** What ends the words. */
  readonly until?: RegExp;
}

const rows = (names: string, row: Handing): [string, Handing][] =>
  names.split(' ').map((name) => [name, row]);

const handings: ReadonlyMap<string, Handing> = new Map([
  ...rows('flock script', { options: /^(?:-\w*c|--command)$/ }),
  ...rows('su runuser', { options: /^(?:-\w*c|--(?:session-)?command)$/ }),
  ...rows('sg newgrp', { options: /^-\w*c$/, operands: 1 }),
  ...rows('ssh autossh rsh plink dbclient', {
    operands: 1,
    values: /^-[46AaCfGgKkMNnqsTtVvXxYy]*[BbcDEeFIiJLlmOoPpQRSWw]$/,
  }),
  ...rows('watch', {
    operands: 0,
    values: /^(?:-\w*[nq]|--interval|--equexit)$/,
    unless: /^(?:-\w*x\w*|--exec)$/,
  }),
  ...rows('parallel sem', {
    operands: 0,
    values:
      /^(?:-[jPSaINnLlsdC]|--(?:jobs|sshlogin|sshloginfile|arg-file|joblog|colsep|delay|timeout|results|tmpdir|id|workdir|wd))$/,
    until: /^:::/,
  }),
  ...rows('hyperfine', {
    operands: 0,
    values:
      /^(?:-[wmMrn]|--(?:export-[\w-]+|warmup|(?:min-|max-)?runs|output|input|command-name|style|time-unit))$/,
    unless: /^(?:-N|--shell=none)$/,
  }),
  ...rows('watchexec', {
    operands: 0,
    values: /^(?:-[weifsd]|--(?:watch|exts|filter|ignore|signal|debounce))$/,
  }),
  ...rows('entr', { operands: 0, needs: /^-\w*s\w*$/ }),
  ...rows('concurrently start-server-and-test', { operands: 0, values: /^(?:-[nclp]|--(?:names|prefix))$/ }),
  ...rows('pee mispipe cross-env-shell', { operands: 0 }),
  ...rows('pssh parallel-ssh pdsh dsh clush', { operands: 0, values: /^-[hHlptoeOxXwgufmR]$/ }),
  ...rows('mussh chokidar', { options: /^(?:-c|--command)$/ }),
  ...rows('adb minikube colima gh knife', { operands: 0, behind: /^(?:shell|ssh)$/ }),
  ...rows('salt salt-call salt-run salt-ssh', {
    operands: 0,
    behind: /(?:^|,)cmd\.|^(?:-\w*r|--raw)$/,
  }),
  ...rows('ansible', { options: /^(?:-a|--args)$/, needs: /^(?:[\w.]+\.)?(?:shell|raw)$/ }),
  ...rows('tsh', { operands: 1, behind: /^ssh$/, values: /^-[lpiLRo]$/ }),
  ...rows('fly flyctl', { options: /^(?:-C|--command)$/ }),
  ...rows('vagrant gcloud', { options: /^(?:-c|--command)$/ }),
  ...rows('npx npm pnpm', { options: /^(?:-c|--call)$/, areFirst: true }),
  ...rows('nodemon', { options: /^(?:-x|--exec)$/ }),
  ...rows('tsc-watch', { options: /^--on[A-Z]\w*$/ }),
  ...rows('cargo', { options: /^(?:-s|--shell)$/ }),
  ...rows('nix-shell', { options: /^--(?:run|command)$/ }),
  ...rows('pueue heroku', { operands: 0, behind: /^(?:add|run)$/, values: /^-[ag]$/ }),
  ...rows('xterm uxterm', { options: /^-e$/ }),
  // Programs with their own command for starting a shell.
  ...rows('vi vim nvim view ex', { options: /^(?:-c|--cmd)$/ }),
  ...rows('gdb lldb', { options: /^(?:-ex|-o|--?eval-command)$/ }),
  ...rows('split', { options: /^--filter$/ }),
  ...rows('tar bsdtar', {
    options: /^--(?:to-command|checkpoint-action|info-script|use-compress-program)$|^-\w*[FI]$/,
  }),
  ...rows('rsync', { options: /^--rsync-path$/ }),
  ...rows('yarn', { operands: 0, behind: /^exec$/ }),
  ...rows('man', { options: /^(?:-P|--pager)$/ }),
  ...rows('mapfile readarray complete compgen', { options: /^-\w*C$/ }),
  ...rows('bind', { options: /^-x$/ }),
  ...rows('trap', { operands: 0 }),
  ...rows('tmux', {
    options: /^-c$/,
    areFirst: true,
    operands: 0,
    behind: /^(?:new|split|resp|run|if|pipe|display-p|popup|send)/,
    values: /^-\w*[ceFnstxyTNL]$/,
    until: /^;$/,
  }),
  ...rows('screen', { operands: 0, behind: /^stuff$/ }),
]);

/**
 * Whether a shell reads a text that already contains an expansion.
 * @param given the words before others were added to them: `parallel` quotes the words that it adds
 */
export function readsExpanded(
  name: string,
  { words, scripts }: ShellCommand,
  { start, given }: { readonly start: number; readonly given: readonly string[] },
): boolean {
  const isAny = (texts: readonly string[]): boolean => texts.some((text) => text.includes(UNKNOWN));
  if (readsInput(name, words, start) && isAny(scripts)) return true;
  if ((SHELL.test(name) || name === 'eval') && isAny(linesIn(name, words, start))) return true;
  const own = (name === 'parallel' || name === 'sem' ? given : words).slice(start + 1);
  if (name === 'git') return isAny(listTextsOfGit(own));
  const handing = handings.get(name);
  return isAny(sshLines(name, own)) || (handing !== undefined && isAny(listHandedTexts(handing, own)));
}

/** If `parallel` has a command, its input holds words, which it quotes. */
function readsInput(name: string, words: readonly string[], start: number): boolean {
  if (name === 'parallel') return words.slice(start + 1).every((word) => word.startsWith('-'));
  return SHELL.test(name) || READS_COMMANDS.has(name) || WAITS_FOR_COMMANDS.has(name) || mayStartShell(name);
}

/** Whether a command without a command to run may start a shell that reads its input. Its number of operands is not certain. */
export function mayStartShell(name: string): boolean {
  return launchers.get(name)?.startsShell === true;
}

function listHandedTexts(handing: Handing, own: readonly string[]): string[] {
  return [...optionTexts(handing, own), ...wordTexts(handing, own)];
}

function optionTexts({ options, areFirst, needs }: Handing, own: readonly string[]): string[] {
  if (options === undefined || (needs !== undefined && !own.some((word) => needs.test(word)))) return [];
  const end = areFirst
    ? own.findIndex((word, at) => isOperand(word) && !isOption(options, own[at - 1] ?? ''))
    : -1;
  const looked = end === -1 ? own : own.slice(0, end);
  return looked.filter((word, at) => isOption(options, looked[at - 1] ?? '') || isAttached(word, options));
}

/** Whether a word is neither an option nor the `exec` of `npm exec -c`. */
function isOperand(word: string): boolean {
  return !/^(?:-.*|exec|x)$/s.test(word);
}

/** `--command=text`, `-ctext`. */
function isAttached(word: string, options: RegExp): boolean {
  if (word.startsWith('--')) return word.includes('=') && isOption(options, word.slice(0, word.indexOf('=')));
  return (
    /^-\w/.test(word) &&
    [2, 3, 4].some((length) => word.length > length && options.test(word.slice(0, length)))
  );
}

function wordTexts(handing: Handing, own: readonly string[]): string[] {
  const { operands, behind, until } = handing;
  if (operands === undefined) return [];
  if (behind === undefined) return textsFrom(handing, own, operands);
  const parts: string[][] = [];
  let part: string[] | undefined;
  for (const word of own) {
    if (part !== undefined && until?.test(word)) part = undefined;
    else if (part !== undefined) part.push(word);
    else if (behind.test(word)) {
      part = [];
      parts.push(part);
    }
  }
  return parts.flatMap((words) => textsFrom(handing, words, operands));
}

/** The words after the options, their values and this many operands. */
function textsFrom(
  { values, unless, needs, until }: Handing,
  own: readonly string[],
  operands: number,
): string[] {
  let left = operands;
  let isNeeded = needs === undefined;
  for (let at = 0; at < own.length; at++) {
    const word = own[at] as string;
    if (word.startsWith('-')) {
      if (unless?.test(word)) return [];
      isNeeded ||= needs?.test(word) === true;
      if (values?.test(word)) at++;
    } else if (until?.test(word)) return [];
    else if (left-- === 0) return isNeeded ? textsUntil(own.slice(at), until) : [];
  }
  return [];
}

function textsUntil(words: readonly string[], until: RegExp | undefined): string[] {
  const end = until === undefined ? -1 : words.findIndex((word) => until.test(word));
  return words.slice(0, end === -1 ? undefined : end);
}

/** The full forms of long options: they may be shortened. */
const LONG_OPTIONS: readonly string[] = [
  ...['--command', '--session-command', '--filter', '--to-command', '--checkpoint-action', '--info-script'],
  ...['--use-compress-program', '--rsync-path'],
];

function isOption(options: RegExp, word: string): boolean {
  if (options.test(word)) return true;
  return word.length > 3 && LONG_OPTIONS.some((long) => long.startsWith(word) && options.test(long));
}

/** Whether `ssh` gets no command. Then its remote shell reads the input. */
export function isLeftToItsInput(name: string, words: readonly string[], start: number): boolean {
  const handing = handings.get(name);
  if (handing?.operands !== 1 || handing.values === undefined || handing.behind !== undefined) return false;
  return wordTexts(handing, words.slice(start + 1)).length === 0;
}

const GIT_OPTION = /^--(?:exec|extcmd|upload-pack|receive-pack|open-files-in-pager|[a-z-]+-filter)$/;

/** The commands in `rebase --exec`, `submodule foreach`, `filter-branch` and settings that name programs. */
function listTextsOfGit(own: readonly string[]): string[] {
  const isStepwise = own.includes('rebase') || own.includes('difftool');
  const isConfig = own.includes('config');
  const foreach = own.indexOf('foreach');
  const each = foreach === -1 ? -1 : own.findIndex((word, at) => at > foreach && !word.startsWith('-'));
  return own.flatMap((word, at) => {
    const before = own[at - 1] ?? '';
    const equals = word.indexOf('=');
    if (GIT_OPTION.test(before) || (isStepwise && /^-\w*x$/.test(before)) || at === each) return [word];
    if (equals > 0 && GIT_OPTION.test(word.slice(0, equals))) return [word];
    const setting =
      before === '-c' || before === '--config' ? word : /^-c(?=\w+\.)/.test(word) ? word.slice(2) : '';
    if (RUNS_AS_SETTING.test(setting) || /^alias\.[^=]*=!/.test(setting)) return [word];
    const isConfigured = isConfig && RUNS_AS_SETTING.test(`${before}=`);
    return isConfigured || word.startsWith('!') ? [word] : [];
  });
}
