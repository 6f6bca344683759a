import { DefinitionError, describeGiven, findUnknownOption } from '@spec/hooks';

/** The error for a definition that breaks a rule. */
export function bad(sort: string, name: string, rule: string): DefinitionError {
  return new DefinitionError('bad_definition', `The ${sort} "${name}": ${rule}`);
}

/** @throws {DefinitionError} `bad_definition` for what has no fields */
export function checkDefinition(sort: string, given: unknown): void {
  if (typeof given === 'object' && given !== null) return;
  throw new DefinitionError('bad_definition', `A definition of a ${sort} must be an object with a name.`);
}

/** @throws {DefinitionError} `bad_definition` for a field that does not exist: it would be left out in silence */
export function checkFieldNames(
  sort: string,
  given: { readonly name: string },
  names: Readonly<Record<string, true>>,
): void {
  const problem = findUnknownOption(given, names);
  if (problem !== undefined) throw bad(sort, given.name, problem);
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** @throws {DefinitionError} `bad_definition` */
export function checkDefinitionName(sort: string, name: unknown): void {
  if (typeof name === 'string' && NAME.test(name)) return;
  throw bad(
    sort,
    name === undefined ? 'undefined' : describeGiven(name),
    'a name has 1 to 64 letters, digits, underscores or hyphens.',
  );
}
