import { RunError } from '../errors.ts';
import type { MatchEnvironment } from './types.ts';

/** The names of the folders from the top, and of the file. `isAbsolute` is false if the working folder is unknown. */
export interface Location {
  readonly isAbsolute: boolean;
  readonly names: readonly string[];
}

/**
 * Where a path leads. It is made absolute if there is a `cwd`, and links are followed if there is a `resolvePath`; otherwise `.`, `..` and double
 * slashes are removed as text.
 * @throws {RunError} `invalid_input` if `cwd` is not absolute, or the path cannot be followed
 */
export function locate(path: string, environment: MatchEnvironment): Location {
  const { cwd } = environment;
  if (cwd !== undefined && !cwd.startsWith('/')) {
    throw new RunError(
      'invalid_input',
      'The cwd of a matcher must be an absolute path with forward slashes.',
    );
  }
  const absolute = cwd === undefined || path.startsWith('/') ? path : `${cwd}/${path}`;
  return lexical(follow(absolute, environment) ?? absolute);
}

/** What the system says of a path may quote it, so only its code is told. */
function follow(path: string, environment: MatchEnvironment): string | undefined {
  try {
    return environment.resolvePath?.(path);
  } catch (error) {
    const { code } = Object(error) as { readonly code?: unknown };
    const why = typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : 'resolvePath threw an error';
    throw new RunError('invalid_input', `A path cannot be followed: ${why}.`);
  }
}

/** A path as text, without `.`, `..` and double slashes. */
export function lexical(path: string): Location {
  const isAbsolute = path.startsWith('/');
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.length > 0 && names.at(-1) !== '..') names.pop();
    else if (!isAbsolute) names.push('..');
  }
  return { isAbsolute, names };
}

/** The names of `location` below `base`; `undefined` if it is not below; `unknown` if only a `cwd` could tell. */
export function namesBelow(location: Location, base: Location): readonly string[] | undefined | 'unknown' {
  const isBelow =
    location.isAbsolute === base.isAbsolute && base.names.every((name, i) => name === location.names[i]);
  const below = location.names.slice(base.names.length);
  if (isBelow && below[0] !== '..') return below;
  const isKnown =
    location.isAbsolute === base.isAbsolute && location.names[0] !== '..' && base.names[0] !== '..';
  return isKnown ? undefined : 'unknown';
}

/** All names except the `..` at the start of a path in an unknown working folder. */
export function allNames({ names }: Location): readonly string[] {
  return names.filter((name) => name !== '..');
}
