import { RunError } from '../errors.ts';
import { listPaths, PATH_FIELDS } from './fields.ts';
import { type PathGlob, pathGlobs } from './globs.ts';
import { badMatcher, checkedPattern, toList } from './limits.ts';
import { allNames, type Location, locate, namesBelow } from './locations.ts';
import { type Reading, readPath } from './readings.ts';
import type { Clause, MatchEnvironment, MatcherObject } from './types.ts';

/**
 * The condition on the files of a call: at least one path fits a glob and fits no glob that begins with `!`.
 * @throws {DefinitionError} `bad_matcher`
 */
export function pathsClause(paths: NonNullable<MatcherObject['paths']>): Clause {
  const globs = toList(paths, 'paths').map((glob) => checkedPattern(glob, 'paths'));
  const wanted = globs.filter((glob) => !isNegated(glob)).flatMap((glob) => pathGlobs(glob, 'paths'));
  const unwanted = globs.filter(isNegated).flatMap((glob) => pathGlobs(positive(glob), 'paths'));
  const source = globs.join(', ');
  const fields = PATH_FIELDS.join(', ');
  const isWanted = (reading: Reading, environment: MatchEnvironment) => {
    const place = { ...reading, ...locate(reading.path, environment) };
    return (
      (wanted.length === 0 || wanted.some((glob) => isAt(glob, place, environment))) &&
      !unwanted.some((glob) => isAt(glob, place, environment))
    );
  };
  const readings = (input: unknown, environment: MatchEnvironment) =>
    listPaths(input).flatMap((path) => readPath(path, environment));
  return {
    label: `paths: ${source}`,
    test: ({ input }, environment) => readings(input, environment).some((one) => isWanted(one, environment)),
    isAll: ({ input }, environment) =>
      readings(input, environment).every((one) => isWanted(one, environment)),
    mismatch: ({ input }) =>
      listPaths(input).length === 0
        ? `paths: the input has no path in ${fields}`
        : `paths: ${source} does not match the path`,
  };
}

/** `!(` would begin an extended glob, which is refused because of its parentheses. */
function isNegated(glob: string): boolean {
  return glob.startsWith('!') && glob[1] !== '(';
}

function positive(glob: string): string {
  const rest = glob.slice(1);
  if (rest !== '' && !rest.startsWith('!')) return rest;
  throw badMatcher('paths', `the glob "${glob}" excludes nothing`, 'Write one "!" and then a glob.');
}

function isAt(glob: PathGlob, path: Reading & Location, environment: MatchEnvironment): boolean {
  if (glob.isAnywhere) return glob.fitsBelow(allNames(path));
  if (path.isAtUnknownHome) throw unknownHome('A path');
  const below = namesBelow(path, locate(resolveBase(glob, environment), environment));
  if (below !== 'unknown') return below !== undefined && glob.fitsBelow(below);
  throw new RunError(
    'invalid_input',
    'A path and a glob cannot be compared, because one of them is absolute or begins with "..". Give the matcher a cwd.',
  );
}

/** Where a glob starts; with several home folders, in the first. */
function resolveBase({ base }: PathGlob, { homes }: MatchEnvironment): string {
  if (base !== '~' && !base.startsWith('~/')) return base;
  const [home] = homes?.() ?? [];
  if (home === undefined) throw unknownHome('A glob');
  return `${home}${base.slice(1)}`;
}

function unknownHome(what: string): RunError {
  return new RunError(
    'invalid_input',
    `${what} begins with a home folder that is not known. Give the matcher homes, as realPaths() does.`,
  );
}
