import { lstatSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { DefinitionError } from '@spec/hooks';
import type { Installation } from './installation.ts';

/** What stands beside the launcher, with it. */
export const launcherFiles = ['hook', 'hook.ps1', 'local', 'partial.json', '.gitignore'] as const;

/**
 * Sees to it that what is written for a project is written there: a project could come with a link that leads to a file of yours.
 *
 * @throws {DefinitionError} `bad_option`
 */
export function checkPlace({ scope, root, folder, file }: Installation): void {
  if (scope === 'user') return;
  const written = [dirname(file), ...launcherFiles.map((name) => join(folder, name))];
  for (const path of written.flatMap((one) => listSteps(root, one)))
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new DefinitionError(
        'bad_option',
        `Nothing is changed: ${path} is a link, and would lead to another place. Remove it first.`,
      );
}

/** The path and all folders above it, up to the project. */
function listSteps(root: string, path: string): string[] {
  const names = relative(root, path).split(sep).filter(Boolean);
  return names.map((_, at) => join(root, ...names.slice(0, at + 1)));
}
