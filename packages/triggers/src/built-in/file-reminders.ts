import { checkOptionNames, compileMatcher, listPaths } from '@spec/hooks';
import type { PastUse } from '../tool-use.ts';
import { defineTrigger, type Trigger } from '../trigger.ts';

export interface FileReminderOptions {
  /** Names of the tools that change files. Default: common ones. */
  readonly tools?: readonly string[];
}

/** The tools that change files, as agents call them. */
const fileTools: readonly string[] = [
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

const SENSITIVE: readonly string[] = [
  '**/.env*',
  '**/*.{pem,key,p12,pfx}',
  '**/*{secret,credential}*',
  '**/{auth,security}/**',
  '**/.github/workflows/**',
];
const CODE: readonly string[] = [
  '**/*.{ts,tsx,mts,js,jsx,mjs,py,rs,go,java,kt,rb,php,cs,c,cc,cpp,h,swift,scala}',
];
const TESTS: readonly string[] = ['**/*{test,spec}*', '**/*{test,spec}*/**'];

/** Whether a path is among some globs. */
function among(globs: readonly string[]): (path: string) => boolean {
  const matcher = compileMatcher({ paths: globs });
  return (path) => matcher.test({ name: '', input: { path } });
}

/** Reminds of a security review when a sensitive file was changed, once for each file and turn. @param paths globs */
export function sensitiveFileChanged(
  options: FileReminderOptions & { readonly paths?: readonly string[] } = {},
): Trigger<'tool_result'> {
  checkOptionNames('sensitiveFileChanged', options, { paths: true, tools: true });
  const { paths = SENSITIVE, tools = fileTools } = options;
  const isSensitive = among(paths);
  return defineTrigger({
    id: 'sensitive_file_changed',
    on: 'tool_result',
    once: 'turn',
    key: ({ use }) => changedFiles([use], tools).join('\n'),
    when: ({ use }) => changedFiles([use], tools).some(isSensitive),
    message: ({ use }) =>
      `A sensitive file was changed: ${changedFiles([use], tools).join(', ')}. Have the change reviewed for security before it is committed.`,
  });
}

/** Suggests tests when code was changed in a turn and no test was, once a turn. @param code globs @param tests globs */
export function codeChangedWithoutTests(
  options: FileReminderOptions & {
    readonly code?: readonly string[];
    readonly tests?: readonly string[];
  } = {},
): Trigger<'tool_batch'> {
  checkOptionNames('codeChangedWithoutTests', options, { code: true, tests: true, tools: true });
  const { code = CODE, tests = TESTS, tools = fileTools } = options;
  const [isCode, isTest] = [among(code), among(tests)];
  return defineTrigger({
    id: 'code_changed_without_tests',
    on: 'tool_batch',
    once: 'turn',
    when: ({ batch, uses }) =>
      changedFiles(batch, tools).some((path) => isCode(path) && !isTest(path)) &&
      !changedFiles(uses, tools).some(isTest),
    message: 'Code was changed, and no test was. Run the tests, and add one for what is new.',
  });
}

/** Suggests a commit when a turn has changed many files, once a turn. @param count how many. Default 10 */
export function manyFilesChanged(
  options: FileReminderOptions & { readonly count?: number } = {},
): Trigger<'tool_batch'> {
  checkOptionNames('manyFilesChanged', options, { count: true, tools: true });
  const { count = 10, tools = fileTools } = options;
  return defineTrigger({
    id: 'many_files_changed',
    on: 'tool_batch',
    once: 'turn',
    when: ({ uses }) => changedFiles(uses, tools).length >= count,
    message: ({ uses }) =>
      `${changedFiles(uses, tools).length} files were changed in this turn. Consider committing what works before going on.`,
  });
}

/** The files that calls have changed, each once, by the name used. */
function changedFiles(uses: readonly PastUse[], tools: readonly string[] = fileTools): string[] {
  const paths = uses
    .filter(({ name, status }) => status === 'success' && tools.includes(name))
    .flatMap(({ input }) => listPaths(input));
  return [...new Set(paths)];
}
