/**
 * Loaded before a program that readers copy: judges the hooks that it has defined when it is over. What is wrong goes to the file that
 * JUDGED_HOOKS names, a line each; its first line says how many hooks there were.
 */
import { writeFileSync } from 'node:fs';
import { judgeHooks, watchDefinitions } from './judge-shown-hooks.ts';

const { JUDGED_HOOKS: file = '' } = process.env;
const takeHooks = watchDefinitions();
const problems: string[] = [];
let count: number | undefined;

process.on('exit', () => writeFileSync(file, [count ?? takeHooks().length, ...problems].join('\n')));
process.on('beforeExit', () => {
  if (count !== undefined) return;
  const hooks = takeHooks();
  count = hooks.length;
  void judgeHooks(hooks, problems);
});
