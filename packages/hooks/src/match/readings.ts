import { RunError } from '../errors.ts';
import { lexical } from './locations.ts';
import type { MatchEnvironment } from './types.ts';

/** One way in which a tool may read a text. */
export interface Reading {
  readonly path: string;
  /** It begins with the home folder of an unknown user. */
  readonly isAtUnknownHome: boolean;
}

/** A text without any of these has only one reading. */
const READ_IN_SEVERAL_WAYS = /^[\0-\x20~]|\s$|[$:]|proc/i;

/**
 * The paths that a tool may read from a text. A tool may use it unchanged, trim it, expand `~` and variables, or read a URL; only the tool
 * knows which. The unchanged text comes first.
 * @throws {RunError} `invalid_input` if a text has too many variables
 */
export function readPath(text: string, environment: MatchEnvironment): readonly Reading[] {
  const asWritten = { path: text, isAtUnknownHome: false };
  if (!READ_IN_SEVERAL_WAYS.test(text)) return [asWritten];
  const written = [text, text.trim(), ...listPathsOfUrl(text)];
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

/** The paths of a `file:` URL: some programs decode it and drop its query, others only remove `file://`. */
function listPathsOfUrl(text: string): string[] {
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

/** With more variables a short text could grow without bounds. */
const MAX_VARIABLES = 64;

/** A variable that is not set is empty, as in a shell. */
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

/** Expands `~`, `~name`, `~+` and `~-` as shells and many tools do. */
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

/** What `/proc/self/cwd` and `/proc/self/root` mean for a tool, which may run in another process. */
function inProcess(path: string, { cwd }: MatchEnvironment): string[] {
  if (cwd === undefined || !path.includes('proc')) return [];
  const { names } = lexical(path.startsWith('/') ? path : `${cwd}/${path}`);
  const absolute = `/${names.join('/')}`;
  const [start, isFolder] = OWN_FOLDER.exec(absolute) ?? [];
  if (start === undefined) return [];
  const inside = `${isFolder === undefined ? '' : cwd}${absolute.slice(start.length)}`;
  return [inside || '/', ...(isFolder === undefined ? inProcess(inside, { cwd }) : [])];
}
