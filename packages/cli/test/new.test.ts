import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';

test('the test of a hook that stands elsewhere is named by the path that it has', {
  timeout: 60_000,
}, async () => {
  const { cli, path } = projectFolder({});
  const elsewhere = join(path, 'elsewhere');
  const { stdout } = await cli(['new', 'before_tool_call', 'deny_all', '--dir', elsewhere]);
  expect(stdout).toContain(`Test it: npx tsx --test ${elsewhere}/deny-all.test.`);
  const { stdout: here } = await cli(['new', 'before_tool_call', 'deny_more', '--dir', './hooks/']);
  expect(here).toMatch(/Test it: npx tsx --test hooks\/deny-more\.test\./);
});
