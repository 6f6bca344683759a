import { homedir } from 'node:os';
import { type Expand, readShellLine, UNKNOWN } from '@spec/hooks';

/** Characters for private use that stand for what becomes many words: the folder that a command runs in, and `*`, `?`, `[`. */
export const HERE = '\uE000';
const GLOBS: Readonly<Record<string, string>> = { '*': '\uE001', '?': '\uE002', '[': '\uE003' };
export const GLOB: RegExp = /[\uE001-\uE003]/;

/** Takes characters out of a text that would be taken for those that stand for something. */
export function withoutMarks(text: string): string {
  return text.replace(/[\uE000-\uE003]/g, '?');
}

/** What is known of variables and folders where a command runs. */
export interface Known {
  /** `undefined`: it may be anything. */
  readonly variables: ReadonlyMap<string, string | undefined>;
  /** The folder of the script that is read, where it is one. */
  readonly scriptDir?: string | undefined;
}

const SIMPLE = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))$/;
const DEFAULT = /^\$\{([A-Za-z_]\w*)(:?)-([\s\S]*)\}$/;
const SUBSTITUTION = /^(?:\$\(([\s\S]*)\)|`([\s\S]*)`)$/;
const SCRIPT_FOLDER = /^dirname (?:-- )?"?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?"?$/;
const SCRIPT_FOLDER_CUT = /^\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}$/;
const ENTERED =
  /^(?:builtin )?cd (?:-P )?(?:-- )?([^;&|]+?)(?: *(?:&?>) *\/dev\/null(?: 2>&1)?)? *&& *pwd(?: -[PL])?$/;

/** Expands as the shell would, without running anything: what it cannot know stays unknown. */
export function expandWith(known: Known): Expand {
  const expand: Expand = (source, inDouble) => {
    if (source.length === 1 && GLOBS[source] !== undefined) return GLOBS[source];
    const value = standsFor(source, known, expand);
    // Without quotes the shell splits it, and takes it for a pattern.
    return value === undefined || (!inDouble && /[\s*?[]/.test(value)) ? undefined : value;
  };
  return expand;
}

function standsFor(source: string, known: Known, expand: Expand): string | undefined {
  if (source === '~') return known.variables.get('HOME');
  if (source === '~+') return HERE;
  const [, braced, bare] = SIMPLE.exec(source) ?? [];
  const name = braced ?? bare;
  if (name !== undefined) return known.variables.get(name);
  const [, withDefault, colon, word] = DEFAULT.exec(source) ?? [];
  if (withDefault !== undefined && word !== undefined)
    return defaulted(known.variables.get(withDefault), colon === ':', () => oneWord(word, expand));
  if (SCRIPT_FOLDER_CUT.test(source)) return known.scriptDir;
  const [, command, ticked] = SUBSTITUTION.exec(source) ?? [];
  return printed((command ?? ticked ?? '').trim(), known, expand);
}

/** Which of the two it is can be told where the variable is known to be empty or not. */
function defaulted(
  value: string | undefined,
  isForEmpty: boolean,
  readDefault: () => string | undefined,
): string | undefined {
  return value === '' && isForEmpty ? readDefault() : value;
}

/** What a command prints, for the few that only print folders. */
function printed(command: string, known: Known, expand: Expand): string | undefined {
  if (/^pwd(?: -[PL])?$/.test(command)) return HERE;
  if (SCRIPT_FOLDER.test(command)) return known.scriptDir;
  const folder = ENTERED.exec(command)?.[1];
  return folder === undefined ? undefined : oneWord(folder, expand);
}

/** The value of a text that is one word for the shell. */
function oneWord(text: string, expand: Expand): string | undefined {
  const words = readShellLine(`: ${text}`, (source) => expand(source, true))?.commands.find(
    ({ words: [name] }) => name === ':',
  )?.words;
  const [, word] = words ?? [];
  return words?.length !== 2 || word === undefined || word.includes(UNKNOWN) ? undefined : word;
}

/** The variables that every command is given. @param own those of its format */
export function givenVariables(own: Readonly<Record<string, string>>): Map<string, string | undefined> {
  return new Map<string, string | undefined>([['HOME', homedir()], ['PWD', HERE], ...Object.entries(own)]);
}
