import { DefinitionError, describeGiven } from '@spec/hooks';

/**
 * What happens to a tool call that no hook has decided on. A hook's decision counts in every mode: no mode turns a policy off.
 *
 * - `default`: it runs, unless the tool was defined with `permission: 'ask'`: then a person is asked.
 * - `ask`: a person is asked about every call.
 * - `allow`: it runs, even if the tool was defined with `permission: 'ask'`.
 * - `deny`: it does not run.
 */
export type PermissionMode = 'default' | 'ask' | 'allow' | 'deny';

const modes: readonly string[] = ['default', 'ask', 'allow', 'deny'] satisfies PermissionMode[];

/** The key of the thread's value that keeps its mode: a thread that is opened again is not less strict. */
export const MODE_KEY = 'runtime/permission-mode';

/** @throws {DefinitionError} `bad_option` */
export function checkMode(mode: unknown): PermissionMode {
  if (isMode(mode)) return mode;
  throw new DefinitionError(
    'bad_option',
    `permissionMode must be one of ${modes.join(', ')}; got ${describeGiven(mode)}.`,
  );
}

export function isMode(mode: unknown): mode is PermissionMode {
  return typeof mode === 'string' && modes.includes(mode);
}
