import { DefinitionError } from './errors.ts';
import { nearest } from './nearest.ts';
import { isRecord } from './values.ts';

/** The names of all options of a function, so that the compiler refuses a list that misses one or has one more. */
export type OptionNames<Options> = { readonly [Name in NamesOf<Options>]-?: true };

type NamesOf<Options> = Options extends unknown ? keyof Options & string : never;

/** The sentence about the first option that does not exist, with the one that was probably meant; nothing where all exist. */
export function findUnknownOption(given: object, names: Readonly<Record<string, true>>): string | undefined {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return undefined;
  const known = Object.keys(names);
  const meant = nearest(unknown, known);
  const remedy = meant === undefined ? `There are: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
  return `there is no option "${unknown}". ${remedy}`;
}

/**
 * Refuses a value that is not an object, and unknown options: a misspelt option would otherwise be ignored silently.
 *
 * @param where the function that was called, such as `createRuntime`
 * @throws {DefinitionError} `bad_option`
 */
export function checkOptionNames(where: string, given: unknown, names: Readonly<Record<string, true>>): void {
  if (!isRecord(given)) throw new DefinitionError('bad_option', `${where}: options must be an object.`);
  const problem = findUnknownOption(given, names);
  if (problem !== undefined) throw new DefinitionError('bad_option', `${where}: ${problem}`);
}

/** What was given with all of its options as its own: an instance of a class has those of its accessors and methods elsewhere, where a copy loses them. */
export function ownOptions<Given extends object>(given: Given, names: Readonly<Record<string, true>>): Given {
  const inherited = Object.keys(names).filter((name) => !Object.hasOwn(given, name) && name in given);
  if (inherited.length === 0) return given;
  return { ...given, ...Object.fromEntries(inherited.map((name) => [name, given[name as keyof Given]])) };
}
