import { RunError } from '../errors.ts';
import { PATH_FIELDS, textFields } from './fields.ts';
import { type PathGlob, pathGlobs } from './globs.ts';
import { badMatcher, checkedPattern, toList } from './limits.ts';
import { allNames, type Location, locate, namesBelow } from './locations.ts';
import type { Clause, MatchEnvironment, MatcherObject } from './types.ts';

/**
 * The condition on the files of a call: one of its paths fits a glob, and no glob that begins with `!`.
 * @throws {DefinitionError} `bad_matcher`
 */
export function pathsClause(paths: NonNullable<MatcherObject['paths']>): Clause {
  const globs = toList(paths, 'paths').map((glob) => checkedPattern(glob, 'paths'));
  const wanted = globs.filter((glob) => !isNegated(glob)).flatMap((glob) => pathGlobs(glob, 'paths'));
  const unwanted = globs.filter(isNegated).flatMap((glob) => pathGlobs(positive(glob), 'paths'));
  const source = globs.join(', ');
  const fields = PATH_FIELDS.join(', ');
  const isWanted = (path: Location, environment: MatchEnvironment) =>
    (wanted.length === 0 || wanted.some((glob) => isAt(glob, path, environment))) &&
    !unwanted.some((glob) => isAt(glob, path, environment));
  return {
    label: `paths: ${source}`,
    test: ({ input }, environment) =>
      textFields(input, PATH_FIELDS).some((path) => isWanted(locate(path, environment), environment)),
    isAll: ({ input }, environment) =>
      textFields(input, PATH_FIELDS).every((path) => isWanted(locate(path, environment), environment)),
    mismatch: ({ input }) =>
      textFields(input, PATH_FIELDS).length === 0
        ? `paths: the input has no path in ${fields}`
        : `paths: ${source} does not match the path`,
  };
}

/** `!(` would begin an extended glob, which is refused for its parentheses. */
function isNegated(glob: string): boolean {
  return glob.startsWith('!') && glob[1] !== '(';
}

function positive(glob: string): string {
  const rest = glob.slice(1);
  if (rest !== '' && !rest.startsWith('!')) return rest;
  throw badMatcher('paths', `the glob "${glob}" excludes nothing`, 'Write one "!" and then a glob.');
}

function isAt(glob: PathGlob, path: Location, environment: MatchEnvironment): boolean {
  if (glob.isAnywhere) return glob.fitsBelow(allNames(path));
  const below = namesBelow(path, locate(glob.base, environment));
  if (below !== 'unknown') return below !== undefined && glob.fitsBelow(below);
  throw new RunError(
    'invalid_input',
    'A path and a glob cannot be compared, because one of them is absolute or begins with "..". Give the matcher a cwd.',
  );
}
