import { type ShellLine, type ShellLineCommand, UNKNOWN } from '@spec/hooks';
import { baseName, findInterpreter, isShellName } from './interpreters.ts';

interface ReadLine {
  readonly line: ShellLine;
  readonly text: string;
}

const COPIES = /^(?:tee|cp|mv|ln|install|dd|sponge|rsync)$/;
const WRITES_NO_FILE = /^(?:&?\d*-?|\/dev\/(?:null|stdout|stderr|tty|fd\/\d+))$/;

const RUNS_BY_ITSELF =
  /(?:^|\/)(?:\.(?:git|githooks|husky)\/|(?:GNU)?[Mm]akefile$|[Jj]ustfile$|package\.json$|conftest\.py$|sitecustomize\.py$|\.(?:npmrc|gitconfig|envrc|profile|\w*shrc|bash_\w+|zshenv|zprofile|vimrc)$)/;

/** Why a line may run a file that it writes: it runs one of that name, or gives any file to a shell. */
export function findWrittenAndRun(lines: readonly ReadLine[]): string | undefined {
  const commands = lines.flatMap(({ line }) => line.commands);
  const written = lines.flatMap(({ line, text }) => [
    ...redirectedFiles(line, text),
    ...line.commands.flatMap(copiedFiles),
  ]);
  if (written.length === 0) return undefined;
  if (written.some((file) => RUNS_BY_ITSELF.test(file)))
    return 'is on a line that writes a file which programs run by themselves. Write another.';
  const run = commands.flatMap(filesRun);
  const names = new Set(written.map(baseName));
  const isUnsure = written.some((file) => file.includes(UNKNOWN) || /[\uE000-\uEFFF]/.test(file));
  const runsOne = run.some(
    ({ file, isScript }) => isScript || names.has(baseName(file)) || (isUnsure && file.includes('/')),
  );
  return runsOne
    ? 'is on a line that writes a file and runs one. Put the script into a file of its own.'
    : undefined;
}

function redirectedFiles({ spans }: ShellLine, text: string): string[] {
  return spans
    .filter(({ kind, start }) => kind === 'redirection' && /[>|&]\s*$/.test(text.slice(0, start)))
    .filter(({ start }) => !/<\s*$/.test(text.slice(0, start)))
    .map(({ start, end }) => text.slice(start, end).replace(/["'\\]/g, ''))
    .filter((file) => !WRITES_NO_FILE.test(file));
}

function copiedFiles({ words, prefix }: ShellLineCommand): string[] {
  const at = words.findIndex((word, i) => i >= prefix && COPIES.test(baseName(word)));
  if (at === -1) return [];
  return words
    .slice(at + 1)
    .filter((word) => !word.startsWith('-'))
    .map((word) => word.replace(/^of=/, ''));
}

/** The files that a command runs: itself, and the script of a shell or an interpreter. */
function filesRun({ words, prefix, runs }: ShellLineCommand): { file: string; isScript: boolean }[] {
  const own = words.slice(prefix);
  return runs.starts.flatMap((start) => {
    const [file = '', ...rest] = own.slice(start);
    const name = baseName(file);
    const isScript = name === '.' || name === 'source' || (isShellName(name) && !hasCode(rest));
    const scripts = findInterpreter(name) === undefined ? [] : rest;
    return [{ file, isScript }, ...scripts.map((word) => ({ file: word, isScript: false }))];
  });
}

const hasCode = (words: readonly string[]): boolean => words.some((word) => /^-[A-Za-z]*c$/.test(word));
