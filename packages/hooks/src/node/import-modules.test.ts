import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { importModule } from './import-modules.ts';

const folder = mkdtempSync(join(tmpdir(), 'import-module-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('TypeScript, JavaScript and CommonJS, as they are now', async () => {
  const file = written('a.ts', 'const a: number = 1; export default a;');
  expect(await importModule(file)).toBe(1);
  writeFileSync(file, 'export default 2 as number;');
  expect(await importModule(file)).toBe(2);
  expect(await importModule(written('b.mjs', 'export default { b: 1 };'))).toEqual({ b: 1 });
  expect(await importModule(written('c.cjs', 'module.exports = [1];'))).toEqual([1]);
});

test('modules that are given by name', async () => {
  const file = written('d.ts', "import { three } from 'somewhere'; export default three;");
  expect(await importModule(file, { somewhere: { three: 3 } })).toBe(3);
});

test.each([
  ['syntax.ts', 'export default {', /does not parse at 1:17/],
  ['throws.ts', 'throw new TypeError("secret");', /throws when it is imported: TypeError/],
  ['missing.ts', "import 'not-there'; export default 1;", /which is not installed: npm install not-there/],
])('%s is refused with its place, and nothing of it is quoted', async (name, text, reason) => {
  const error = await importModule(written(name, text)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'bad_module', message: expect.stringMatching(reason) });
  expect(String(error)).not.toContain('secret');
  expect(String(error)).toContain(name);
});

test('a file that is not there', async () => {
  await expect(importModule(join(folder, 'none.ts'))).rejects.toMatchObject({
    code: 'bad_module',
    message: expect.stringContaining('ENOENT'),
  });
});
