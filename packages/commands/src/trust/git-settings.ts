import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UNKNOWN } from '@spec/hooks';
import { gitRunners } from './languages.ts';
import { readFileOrNothing } from './sight.ts';

/** Git settings that run nothing, whatever their value. */
const HARMLESS =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|longpaths)|(?:remote|submodule)\.(?:url|fetch|pushurl|gh-resolved|active|tagopt|prune)|branch\.(?:remote|merge|rebase|pushremote|vscode-merge-base|github-pr-owner-number)|user\.(?:name|email)|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|extensions\.(?:worktreeconfig|objectformat)|gc\.auto|fetch\.prune)$/;

/** What the git configuration around a folder can run. */
export interface GitSettings {
  /** The configuration files, even if missing. */
  readonly files: readonly string[];
  /** The lines that can run something. */
  readonly lines: readonly string[];
  /** Hooks that run even for read-only commands. */
  readonly hooks: readonly string[];
}

/** Reads the git configuration of the repositories that may hold a folder. */
export function readGitSettings(folder: string): GitSettings {
  const places = findRepositoriesAbove(folder);
  const files = places.flatMap((place) => [join(place, 'config'), join(place, 'config.worktree')]);
  return {
    files,
    lines: files.flatMap((file) =>
      selectLinesThatMayRun(readFileOrNothing(file)).map((line) => `${file}: ${line}`),
    ),
    hooks: places.flatMap((place) => HOOKS.map((hook) => join(place, 'hooks', hook))),
  };
}

const HOOKS = ['post-index-change', 'reference-transaction', 'fsmonitor-watchman'];

/** The folders with settings: `.git`, the folder that a file of that name points to, and a bare repository. */
function findRepositoriesAbove(folder: string): string[] {
  const git = join(folder, '.git');
  const led = /^gitdir:(.+)$/m.exec(readFileOrNothing(git))?.[1]?.trim();
  const own = led === undefined ? [git] : findSharedFolders(resolve(folder, led));
  const bare = existsSync(join(folder, 'HEAD')) ? [folder] : [];
  const above = dirname(folder);
  const isFound = existsSync(git) || bare.length > 0;
  return [...bare, ...own, ...(isFound || above === folder ? [] : findRepositoriesAbove(above))];
}

function findSharedFolders(place: string): string[] {
  const common = readFileOrNothing(join(place, 'commondir')).trim();
  return common === '' ? [place] : [place, resolve(place, common)];
}

function selectLinesThatMayRun(text: string): string[] {
  let section = '';
  return text.split(/\r?\n/).filter((line) => {
    const [, named, rest = ''] = /^\s*\[\s*([\w.-]+)(?:\s+"(?:\\.|[^"\\])*")?\s*\](.*)$/.exec(line) ?? [
      undefined,
      undefined,
      line,
    ];
    if (named !== undefined) section = named.toLowerCase();
    if (/^\s*(?:[#;].*)?$/.test(rest)) return false;
    const [, key = '', value = ''] = /^\s*([\w-]+)\s*(?:=\s*(.*))?$/.exec(rest) ?? [];
    return !HARMLESS.test(`${section}.${key.toLowerCase()}`) || /::|\\$/.test(value);
  });
}

/** Git options that name programs or another repository. */
const NAMES_PROGRAMS =
  /^(?:-O|--(?:open-files-in-pager|upload-pack|receive-pack|exec|ext-diff|git-dir|work-tree)(?:=|$))/;

/** Whether git runs hooks or programs for these arguments. Also true if only the shell can tell. */
export function startsPrograms(args: readonly string[]): boolean {
  const command = args.find((arg, i) => !arg.startsWith('-') && args[i - 1] !== '-C');
  return (
    command?.includes(UNKNOWN) === true || args.some((arg) => gitRunners.has(arg) || NAMES_PROGRAMS.test(arg))
  );
}
