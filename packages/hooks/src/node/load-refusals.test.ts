import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookModule, temporaryFolder } from '../../test/temporary-folder.ts';
import { DefinitionError, defineHook } from '../index.ts';
import { loadHooks } from './load-hooks.ts';

/** What `loadHooks` says of the modules, without its first line. */
async function findRefusal(folder: string): Promise<string[]> {
  const error: unknown = await loadHooks(folder).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DefinitionError);
  const { code, message } = error as DefinitionError;
  const [first, ...lines] = message.split('\n  ');
  expect(code).toBe('bad_module');
  expect(first).toContain(folder);
  return lines;
}

describe('what is refused', () => {
  test('all bad modules in one error, and no hook is loaded', async () => {
    const { path } = temporaryFolder({
      'good.ts': hookModule('good'),
      'sub/syntax.ts':
        "import { defineHook } from '@spec/hooks';\nexport default defineHook({\n  hook: 'x'\n  id: 'y',\n});\n",
      'named.ts': hookModule('named').replace('export default', 'export const hook ='),
      'plain.ts': "export default { hook: 'filter_messages', id: 'plain', execute: async (state, m) => m };",
    });
    const error: unknown = await loadHooks(path).catch((thrown: unknown) => thrown);
    expect((error as DefinitionError).message).toBe(
      `3 hook modules in ${path} cannot be used, so no hook was loaded:
  named.ts: has no default export (it exports hook). Write "export default" in the place of "export const hook =".
  plain.ts: its default export is an object, not made by defineHook. Wrap it: defineHook({ … }).
  sub/syntax.ts: does not parse at 4:3: Unexpected token, expected ","`,
    );
  });

  test.each([
    [
      'a syntax error in JavaScript',
      'a.mjs',
      'const a = 1;\nconst b = ;\n',
      'does not parse at 2:11: Unexpected token',
    ],
    [
      'an empty file',
      'a.ts',
      '',
      'has no default export (it exports nothing). Write "export default defineHook({ … })"; if it is no hook module, let its name begin with "_".',
    ],
    [
      'a helper without _',
      'a.ts',
      'export const digits = /\\d/; export const letters = /a/;',
      'has no default export (it exports digits, letters). Write "export default defineHook({ … })"; if it is no hook module, let its name begin with "_".',
    ],
    [
      'a bare function',
      'a.ts',
      'export default async (state, messages) => messages;',
      'its default export is a function, not made by defineHook. Give it a hook and an id: defineHook({ hook, id, execute }).',
    ],
    [
      'a null',
      'a.ts',
      'export default null;',
      'its default export is null, not made by defineHook. Export a hook, or an array of hooks.',
    ],
    [
      'a promise',
      'a.ts',
      'export default Promise.resolve([]);',
      'its default export is a promise, not made by defineHook. Export a hook, or an array of hooks.',
    ],
    [
      'something else in a list',
      'a.ts',
      "import h from './_h.ts'; export default [h, [h]];",
      'item 1 of its default export is an array, not made by defineHook. Export a hook, or an array of hooks.',
    ],
    [
      'a package that is not there',
      'a.ts',
      "import x from '@acme/none/sub'; export default x;",
      'imports "@acme/none/sub", which is not installed: npm install @acme/none',
    ],
    [
      'a package of ours with a misspelt name, which anybody could take',
      'a.ts',
      "import { defineHook } from '@spec/hook'; export default defineHook({});",
      'imports "@spec/hook", which is not installed: check its name, and see docs/installing.md',
    ],
    [
      'a package that is not there, in JavaScript',
      'a.mjs',
      "import 'acme-none'; export default 1;",
      'imports "acme-none", which is not installed: npm install acme-none',
    ],
    [
      'a file that is not there',
      'a.ts',
      "import x from './none.ts'; export default x;",
      'imports "./none.ts", and there is no such file',
    ],
    [
      'a path of a tsconfig.json',
      'a.ts',
      "import x from '@/patterns'; export default x;",
      'imports "@/patterns", which cannot be found; the "paths" of a tsconfig.json are not followed',
    ],
    [
      'a misspelt import',
      'a.ts',
      "import { definehook } from '@spec/hooks';\nexport default definehook({});",
      'calls definehook, which the module that it imports it from does not export',
    ],
    [
      'a throw',
      'a.ts',
      '\nthrow new TypeError("secret");',
      'throws when it is imported: TypeError at FOLDER/a.ts:2:7',
    ],
    [
      'a throw in a promise',
      'a.ts',
      '\nawait Promise.reject(new RangeError("secret"));',
      'throws when it is imported: RangeError at FOLDER/a.ts:2:22',
    ],
    [
      'a throw of something else',
      'a.ts',
      'throw "secret"',
      'throws when it is imported: a value that is not an Error',
    ],
    [
      'a file that cannot be read at import',
      'a.ts',
      "import { readFileSync } from 'node:fs'; readFileSync('/secret');",
      'cannot be read, or reads something that cannot be (ENOENT)',
    ],
  ])('%s', async (_name, file, text, reason) => {
    const { path } = temporaryFolder({ [file]: text, '_h.ts': hookModule('h') });
    const folder = basename(path);
    expect(await findRefusal(path)).toEqual([`${file}: ${reason.replace('FOLDER', folder)}`]);
  });

  test('what defineHook refuses, in its words, with the line', async () => {
    const { path } = temporaryFolder({
      'a.ts': hookModule('Bad-Id'),
      'b.ts': hookModule('b').replace("'filter_messages'", "'filter_message'"),
    });
    const execute = async () => [];
    const messageOf = (options: object) => {
      try {
        return defineHook(options as never) && 'not refused';
      } catch (error) {
        return (error as DefinitionError).message;
      }
    };
    expect(await findRefusal(path)).toEqual([
      `a.ts: line 3: ${messageOf({ hook: 'filter_messages', id: 'Bad-Id', execute })}`,
      `b.ts: line 3: ${messageOf({ hook: 'filter_message', id: 'b', execute })}`,
    ]);
  });

  test('an error in a helper is told of every module that imports it, with its place', async () => {
    const { path } = temporaryFolder({
      '_broken.ts': 'export const a = ;',
      '_throws.ts': '\n\nthrow new Error("secret");',
      'a.ts': "import './_broken.ts'; export default [];",
      'b.ts': "import './_broken.ts'; export default [];",
      'c.ts': "import './_throws.ts'; export default [];",
      'd.ts': "import './_throws.ts'; export default [];",
      'e.mjs': "import './_broken.ts'; export default [];",
    });
    const folder = basename(path);
    const broken = `imports ${folder}/_broken.ts, which does not parse at 1:18: Unexpected token`;
    const throws = `throws when it is imported: Error at ${folder}/_throws.ts:3:7`;
    expect(await findRefusal(path)).toEqual([
      `a.ts: ${broken}`,
      `b.ts: ${broken}`,
      `c.ts: ${throws}`,
      `d.ts: ${throws}`,
      `e.mjs: ${broken}`,
    ]);
  });

  test('two hooks with one id name both modules', async () => {
    const { path } = temporaryFolder({
      'a.ts': hookModule('same'),
      'b/c.ts': hookModule('same'),
      'list.ts': `${hookModule('other').replace('export default', 'const a =')}
        ${hookModule('other')
          .replace(/^import.*/, '')
          .replace('export default', 'const b =')} export default [a, b];`,
    });
    expect(await findRefusal(path)).toEqual([
      'b/c.ts: has a hook with the id "same", as has another in a.ts. Ids are unique: rename one.',
      'list.ts: has a hook with the id "other", as has another of the same module. Ids are unique: rename one.',
    ]);
  });

  test('a link that leads nowhere', async () => {
    const { path, link } = temporaryFolder({ 'a.ts': hookModule('a') });
    link('gone.ts', join(path, 'nothing'));
    link('gone.md', join(path, 'nothing'));
    expect(await findRefusal(path)).toEqual(['gone.ts: is a link that leads nowhere']);
  });

  test('a module that never finishes', async () => {
    const { path } = temporaryFolder({ 'a.ts': 'await new Promise(() => {}); export default [];' });
    await expect(loadHooks(path, { timeout: 100 })).rejects.toThrow(
      'a.ts: was not imported within 100 ms: a top-level await that does not end?',
    );
  });

  test('no value gets into the error: neither what was thrown nor a name put together at run time', async () => {
    const { path } = temporaryFolder({
      'a.ts': 'throw new Error("cannot connect with " + process.env.HOOKS_TEST_SECRET);',
      'b.ts': 'export default await import(process.env.HOOKS_TEST_SECRET + "");',
      'c.ts':
        "class Odd extends Error {}; const e = new Odd('x'); e.name = String(process.env.HOOKS_TEST_SECRET); throw e;",
      'd.ts': 'JSON.parse(process.env.HOOKS_TEST_SECRET ?? "");',
    });
    process.env.HOOKS_TEST_SECRET = 'sk_live_1234';
    const lines = await findRefusal(path);
    delete process.env.HOOKS_TEST_SECRET;
    const folder = basename(path);
    expect(lines.join('\n')).not.toContain('sk_live');
    expect(lines).toEqual([
      `a.ts: throws when it is imported: Error at ${folder}/a.ts:1`,
      'b.ts: imports something that cannot be found',
      expect.stringMatching(/^c\.ts: throws when it is imported: Error/),
      expect.stringMatching(/^d\.ts: throws when it is imported: SyntaxError/),
    ]);
  });

  test('a folder that is missing, none, or without hook modules', async () => {
    const { path } = temporaryFolder({ 'README.md': '', '_helper.ts': '', 'a.test.ts': '' });
    const refused = async (dir: string, message: string) =>
      expect(loadHooks(dir)).rejects.toEqual(expect.objectContaining({ code: 'bad_option', message }));
    await refused(join(path, 'nothing'), `The folder of hooks ${path}/nothing does not exist.`);
    await refused(join(path, 'README.md'), `The folder of hooks ${path}/README.md is not a folder.`);
    await refused(
      path,
      `The folder of hooks ${path} has no hook modules: files that end in .ts, .mts, .cts, .js, .mjs or .cjs and do not begin with "_". Is it the right folder?`,
    );
  });

  test('an option that is none', async () => {
    await expect(loadHooks('.', { timeout: 0 })).rejects.toThrow(
      'loadHooks: timeout must be a duration between 1 ms and 24 days: a number of milliseconds, or a text with a unit (ms, s, m, h, d) such as "5s"; got 0.',
    );
  });

  test.each([undefined, '', 42, new URL('https://example.com/hooks')])('no folder: %s', async (dir) => {
    await expect(loadHooks(dir as string)).rejects.toMatchObject({
      code: 'bad_option',
      message: expect.stringMatching(/^loadHooks needs the folder of the hook modules: a path, such as/),
    });
  });

  test('where jiti is not installed, TypeScript with the command that installs it; JavaScript is loaded', () => {
    const path = folderWithoutJiti({
      'typed/a.mjs': hookModule('a'),
      'typed/b.ts': hookModule('b'),
      'plain/c.mjs': hookModule('c'),
      'plain/d.js': hookModule('d'),
      'plain/e.cjs': `const { defineHook } = require('@spec/hooks');
        module.exports = defineHook({ hook: 'after_thread_created', id: 'e', execute: async () => {} });`,
      'package.json': '{ "type": "module" }',
    });
    const script = `import { loadHooks } from './src/node/index.ts';
      await loadHooks('typed').catch(({ code, message }) => console.log(code, message));
      console.log((await loadHooks('plain')).map(({ id }) => id).join());`;
    const tsx = ['--conditions=@spec/source', '--import', import.meta.resolve('tsx')];
    const args = [...tsx, '--input-type=module', '-e', script];
    const output = execFileSync(process.execPath, args, {
      cwd: path,
      encoding: 'utf8',
      env: { ...process.env, NODE_PATH: '' },
    });
    const message = `${path}/typed/b.ts is TypeScript, which the package jiti reads on every Node. Install it: npm install jiti`;
    expect(output).toBe(`missing_dependency ${message}\nc,d,e\n`);
  });
});

/** A folder with the source of this package, and all that it needs but jiti. */
function folderWithoutJiti(files: Readonly<Record<string, string>>): string {
  const { path } = temporaryFolder(files);
  const own = join(import.meta.dirname, '../..');
  cpSync(join(own, 'src'), join(path, 'src'), { recursive: true });
  mkdirSync(join(path, 'node_modules/@spec'), { recursive: true });
  symlinkSync(own, join(path, 'node_modules/@spec/hooks'));
  for (const name of readdirSync(join(own, 'node_modules')))
    if (name !== 'jiti') symlinkSync(join(own, 'node_modules', name), join(path, 'node_modules', name));
  return path;
}
