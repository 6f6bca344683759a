import { homedir } from 'node:os';
import { type Expand, readShellLine, UNKNOWN } from '@spec/hooks';

/** Private-use characters for what may become many words: the folder that a command runs in, and `*`, `?`, `[`. */
export const HERE = '\uE000';
const GLOBS: Readonly<Record<string, string>> = { '*': '\uE001', '?': '\uE002', '[': '\uE003' };
export const GLOB: RegExp = /[\uE001-\uE003]/;

/** Removes characters that have a special meaning here from a text. */
export function withoutMarks(text: string): string {
  return text.replace(/[\uE000-\uE003]/g, '?');
}

/** Known variables and folders at the place where a command runs. */
export interface Known {
  /** `undefined`: it may be anything. */
  readonly variables: ReadonlyMap<string, string | undefined>;
  /** The folder of the script, if a script is being read. */
  readonly scriptDir?: string | undefined;
}

const SIMPLE = /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))$/;
const DEFAULT = /^\$\{([A-Za-z_]\w*)(:?)-([\s\S]*)\}$/;
const SUBSTITUTION = /^(?:\$\(([\s\S]*)\)|`([\s\S]*)`)$/;
const SCRIPT_FOLDER = /^dirname (?:-- )?"?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?"?$/;
const SCRIPT_FOLDER_CUT = /^\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}$/;
const ENTERED =
  /^(?:builtin )?cd (?:-P )?(?:-- )?([^;&|]+?)(?: *(?:&?>) *\/dev\/null(?: 2>&1)?)? *&& *pwd(?: -[PL])?$/;

/** Expands like the shell, without running anything. What the shell alone can know stays unknown. */
export function expandWith(known: Known): Expand {
  const expand: Expand = (source, inDouble) => {
    if (source.length === 1 && GLOBS[source] !== undefined) return GLOBS[source];
    const value = standsFor(source, known, expand);
    // Unquoted, the shell splits it and reads it as a pattern.
    return value === undefined || (!inDouble && /[\s*?[]/.test(value)) ? undefined : value;
  };
  return expand;
}

function standsFor(source: string, known: Known, expand: Expand): string | undefined {
  if (source === '~') return known.variables.get('HOME');
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

/** The value, or the default for an empty one. Known only if the value is. */
function defaulted(
  value: string | undefined,
  isForEmpty: boolean,
  readDefault: () => string | undefined,
): string | undefined {
  return value === '' && isForEmpty ? readDefault() : value;
}

/** The output of a command, for the few commands that only print folders. */
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
