import { UNKNOWN } from './scan.ts';

/** What starts a program, loads code, or calls a function by a name that is made up while it runs. */
const RUNS = /\bsystem\s*\(|getline|@|print[\s\S]*\||\|[\s\S]*print/;
const TAKES_VALUE = /^(?:-[Fvf]|--(?:field-separator|assign|file))$/;
/** Options of gawk with code of their own: extensions, included files, `-e`. */
const HAS_CODE = /^(?:-(?!-)\w*[lEie]|--(?:load|exec|include|source))/;
const FILE = /^(?:-f|--file=)(.+)$/;

/** Whether a program of awk runs commands, or may, because it cannot be read. `-f FILE` is a file like any script. */
export function awkRunsCommands(own: readonly string[]): boolean {
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
