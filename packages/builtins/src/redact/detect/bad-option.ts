import { DefinitionError } from '@spec/hooks';

/** The error for an option of `redact` that breaks a rule. */
export function badOption(rule: string): DefinitionError {
  return new DefinitionError('bad_option', `redact: ${rule}`);
}
