import { DefinitionError } from '@spec/hooks';

/** A rule file that cannot be read. @param what the end of a sentence that begins with the file */
export function badRuleFile(file: string, what: string): DefinitionError {
  return new DefinitionError('bad_definition', `The rule file ${file} ${what}.`);
}
