import { RunError } from '../errors.ts';
import { lexical } from './locations.ts';
import type { MatchEnvironment } from './types.ts';

/** What a tool may take a text for. */
export interface Reading {
  readonly path: string;
  /** It begins with a home folder that nobody knows. */
  readonly isAtUnknownHome: boolean;
}

/** A text without any of these is read in one way. */
const READ_IN_SEVERAL_WAYS = /^[\0-\x20~]|\s$|[$:]|proc/i;

/**
 * The paths that a tool may make of a text. It may take it as it stands, or cut blanks off, expand `~` and variables, read a URL; which of
 * these it does only the tool knows. The text as it stands comes first.
 * @throws {RunError} `invalid_input` for a text with too many variables
 */
export function readPath(text: string, environment: MatchEnvironment): readonly Reading[] {
  const asWritten = { path: text, isAtUnknownHome: false };
  if (!READ_IN_SEVERAL_WAYS.test(text)) return [asWritten];
  const written = [text, text.trim(), ...pathsOfUrl(text)];
  const filled = written.flatMap((path) => [path, path.replace(HOME, '~'), fillIn(path, environment)]);
  const found = new Map<string, Reading>();
  for (const path of filled) {
    for (const one of [{ path, isAtUnknownHome: false }, ...atHome(path, environment)])
      found.set(`${one.isAtUnknownHome} ${one.path}`, one);
    for (const own of inProcess(path, environment))
      found.set(`false ${own}`, { path: own, isAtUnknownHome: false });
  }
  return [...found.values()];
}

const URL_OF_FILE = /^file:(?:\/\/[^/]*)?(.*)$/is;

/** The paths of a `file:` URL: programs decode it and drop its query, or only take `file://` away. */
function pathsOfUrl(text: string): string[] {
  const plain = text
    .replace(/[\t\n\r]/g, '')
    .replace(/^[\0-\x20]+/, '')
    .replaceAll('\\', '/');
  const path = URL_OF_FILE.exec(plain)?.[1];
  if (path === undefined) return [];
  const bare = path.replace(/[?#].*$/s, '');
  return [path, bare, decode(path), decode(bare)];
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path.replace(/%([0-7][\da-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
}

const HOME = /^\$(?:HOME|\{HOME\})(?=\/|$)/;
const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g;

/** More would let a short text grow without bounds. */
const MAX_VARIABLES = 64;

/** A variable that is not set is empty, as shells have it. */
function fillIn(path: string, { variables }: MatchEnvironment): string {
  if (variables === undefined) return path;
  let count = 0;
  return path.replace(VARIABLE, (_, bare?: string, braced?: string) => {
    if (++count > MAX_VARIABLES)
      throw new RunError(
        'invalid_input',
        `A path has more than ${MAX_VARIABLES} variables. It was not tested.`,
      );
    const name = bare ?? braced ?? '';
    return (Object.hasOwn(variables, name) ? variables[name] : undefined) ?? '';
  });
}

/** `~`, `~name`, `~+` and `~-`, as shells and many tools expand them. */
function atHome(path: string, { homes, cwd, variables }: MatchEnvironment): readonly Reading[] {
  const [, name, rest = ''] = /^~([^/]*)(.*)$/s.exec(path) ?? [];
  if (name === undefined) return [];
  if (name === '+' || name === '-') {
    const folder = name === '+' ? cwd : variables?.OLDPWD;
    return folder === undefined ? [] : [{ path: `${folder}${rest}`, isAtUnknownHome: false }];
  }
  const folders = homes?.(name === '' ? undefined : name);
  return folders === undefined
    ? [{ path, isAtUnknownHome: true }]
    : folders.map((folder) => ({ path: `${folder}${rest}`, isAtUnknownHome: false }));
}

const OWN_FOLDER = /^\/proc\/(?:self|thread-self|\d+)\/(?:task\/\d+\/)?(?:(cwd)|root)(?=\/|$)/;

/** What `/proc/self/cwd` and `/proc/self/root` are for a tool: it may run in another process than this one. */
function inProcess(path: string, { cwd }: MatchEnvironment): string[] {
  if (cwd === undefined || !path.includes('proc')) return [];
  const { names } = lexical(path.startsWith('/') ? path : `${cwd}/${path}`);
  const absolute = `/${names.join('/')}`;
  const [start, isFolder] = OWN_FOLDER.exec(absolute) ?? [];
  if (start === undefined) return [];
  const inside = `${isFolder === undefined ? '' : cwd}${absolute.slice(start.length)}`;
  return [inside || '/', ...(isFolder === undefined ? inProcess(inside, { cwd }) : [])];
}
