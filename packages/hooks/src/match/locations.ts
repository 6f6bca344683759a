import { RunError } from '../errors.ts';
import type { MatchEnvironment } from './types.ts';

/** Names of the folders from the top, and of the file. `isAbsolute` is false where no working folder is known. */
export interface Location {
  readonly isAbsolute: boolean;
  readonly names: readonly string[];
}

/**
 * Where a path leads: absolute where there is a `cwd`, links followed where there is a `resolvePath`, else `.`, `..` and double
 * slashes removed as text.
 * @throws {RunError} `invalid_input` for a `cwd` that is not absolute
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
  return lexical(environment.resolvePath?.(absolute) ?? absolute);
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

/** The names of `location` below `base`; `undefined` where it is not below, `unknown` where that cannot be told without a `cwd`. */
export function namesBelow(location: Location, base: Location): readonly string[] | undefined | 'unknown' {
  const isBelow =
    location.isAbsolute === base.isAbsolute && base.names.every((name, i) => name === location.names[i]);
  const below = location.names.slice(base.names.length);
  if (isBelow && below[0] !== '..') return below;
  const isKnown =
    location.isAbsolute === base.isAbsolute && location.names[0] !== '..' && base.names[0] !== '..';
  return isKnown ? undefined : 'unknown';
}

/** All names, without the `..` of a path whose working folder is not known. */
export function allNames({ names }: Location): readonly string[] {
  return names.filter((name) => name !== '..');
}
