import { listPaths } from '@spec/hooks';
import type { PastUse } from '../tool-use.ts';

/** The tools that change files, as agents call them. */
export const fileTools: readonly string[] = [
  'write_file',
  'edit_file',
  'create_file',
  'apply_patch',
  'str_replace_based_edit_tool',
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
];

/** The files that calls have changed, each once, as they were named. */
export function changedFiles(uses: readonly PastUse[], tools: readonly string[] = fileTools): string[] {
  const paths = uses
    .filter(({ name, status }) => status === 'success' && tools.includes(name))
    .flatMap(({ input }) => listPaths(input));
  return [...new Set(paths)];
}
