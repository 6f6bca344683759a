import { UNKNOWN } from '@spec/hooks';
import { resolveWord, standsForAnother } from './candidates.ts';
import { HERE } from './expand.ts';
import { noteUnseen, readScriptText, type Scene } from './scene.ts';

/** How a program gets the file with its patterns, settings or list. */
interface GivenFiles {
  readonly name: RegExp;
  /** Letters of options that such a file follows. */
  readonly letters?: string;
  /** Letters of options with another value: in a word, nothing after them is an option. */
  readonly valued?: string;
  /** Long options that such a file follows; they may be shortened. */
  readonly words?: readonly string[];
  /** How many words stand between a long option and its file. */
  readonly between?: number;
  /** Options that make the operands such files. */
  readonly operandsBehind?: RegExp;
}

/** Programs that count as harmless or as the project's elsewhere. For an unknown program, every file that it is given counts. */
const programs: readonly GivenFiles[] = [
  {
    name: /^(?:(?:[efz]|bz|xz|z[ef])?grep|git grep)$/,
    letters: 'f',
    valued: 'ABCDdemX',
    words: ['--file', '--exclude-from'],
  },
  { name: /^rg$/, letters: 'f', valued: 'ABCEMTdegjmrt', words: ['--file', '--ignore-file'] },
  { name: /^jq$/, words: ['--slurpfile', '--rawfile', '--argfile'], between: 1 },
  {
    name: /^curl$/,
    letters: 'K',
    valued: 'AbCcDdEeFHhmoPQrTtUuwXxYyz',
    words: ['--config', '--cacert'],
  },
  { name: /^wget$/, letters: 'i', valued: 'aBDeGIlnoOPQRtTUwX', words: ['--config', '--input-file'] },
  { name: /^g?make$/, letters: 'f', valued: 'CEIWo', words: ['--file', '--makefile'] },
  { name: /^just$/, letters: 'f', valued: 'd', words: ['--justfile'] },
  { name: /^xargs$/, letters: 'a', valued: 'dEILnPs', words: ['--arg-file'] },
  { name: /^parallel$/, letters: 'a', valued: 'CdEIjLNnPSs', words: ['--arg-file'] },
  { name: /^diff$/, letters: 'X', valued: 'CFISUWx', words: ['--exclude-from'] },
  { name: /^du$/, letters: 'X', valued: 'Bdt', words: ['--exclude-from', '--files0-from'] },
  { name: /^(?:wc|sort)$/, words: ['--files0-from'] },
  { name: /^find$/, words: ['-files0-from'] },
  { name: /^date$/, letters: 'f', valued: 'dIrs', words: ['--file'] },
  { name: /^file$/, letters: 'fm', valued: 'eFP', words: ['--files-from', '--magic-file'] },
  { name: /^(?:md5|sha\d+|b2|sha|ck)sum$/, operandsBehind: /^(?:-[a-z]*c[a-z]*|--c[heck]*)$/ },
];

/** Notes the files that tell a command what to look for or do: whoever writes one decides what a guard lets pass. */
export function lookAtGivenFiles(base: string, args: readonly string[], scene: Scene): void {
  const called = base === 'git' && args.includes('grep') ? 'git grep' : base;
  const program = programs.find(({ name }) => name.test(called));
  if (program === undefined) return;
  for (const word of filesGiven(program, args)) {
    const isKnown = !word.includes(UNKNOWN) && !word.includes('\0') && word.indexOf(HERE) <= 0;
    const paths = isKnown ? resolveWord(word, scene.folders) : [];
    if (paths.length === 0 || paths.some(standsForAnother))
      noteUnseen(scene, `gives ${called} a file that only the shell can tell`);
    for (const path of paths) readScriptText(path, 'data', scene);
  }
}

function filesGiven(program: GivenFiles, args: readonly string[]): string[] {
  const { between = 0, operandsBehind } = program;
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  const named = options.flatMap((word, at) => {
    const attached = attachedFile(program, word);
    return attached === '' ? (args[at + 1 + between] ?? []) : (attached ?? []);
  });
  const isList = operandsBehind !== undefined && options.some((word) => operandsBehind.test(word));
  const operands = isList ? args.filter((word) => !word.startsWith('-')) : [];
  // A `-` is the input, which is handled elsewhere.
  return [...named, ...operands].filter((word) => word !== '' && word !== '-');
}

/** The file in an option; `''` if it is the next word; `undefined` if the option names none. */
function attachedFile(
  { letters = '', valued = '', words = [] }: GivenFiles,
  word: string,
): string | undefined {
  const [name = '', ...value] = word.split('=');
  if (name.length > 3 && words.some((one) => one.startsWith(name))) return value.join('=');
  if (!/^-\w/.test(word)) return undefined;
  const at = Array.from(word).findIndex((letter) => (letters + valued).includes(letter));
  return at > 0 && letters.includes(word[at] as string) ? word.slice(at + 1) : undefined;
}
