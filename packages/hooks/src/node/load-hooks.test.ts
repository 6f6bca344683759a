import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hookModule, temporaryFolder } from '../../test/temporary-folder.ts';
import { type AnyHook, createExecutor, defineHook, scopeOf } from '../index.ts';
import { fakeState, userMessage } from '../testing/index.ts';
import { loadHooks } from './load-hooks.ts';
import { sourceOf } from './source-of.ts';

const ids = (hooks: readonly AnyHook[]) => hooks.map(({ id }) => id);

describe('what is loaded', () => {
  test('one hook or an array of hooks per module, in path order, through all folders', async () => {
    const { path } = temporaryFolder({
      'b.ts': hookModule('b'),
      'a/z.mts': hookModule('a_z'),
      'a.ts': hookModule('a'),
      'a/nested/y.ts': hookModule('a_nested_y'),
      '10-first.ts': hookModule('first'),
      'list.ts': `import { defineHook } from '@spec/hooks';
        const one = defineHook({ hook: 'after_thread_created', id: 'one', execute: async () => {} });
        const two = defineHook({ hook: 'after_thread_created', id: 'two', execute: async () => {} });
        export default [one, two];`,
      'none.ts': 'export default [];',
    });
    expect(ids(await loadHooks(path))).toEqual(['first', 'a', 'a_nested_y', 'a_z', 'b', 'one', 'two']);
  });

  test.each(['a copy of this package', 'no package'])(
    'JavaScript of every kind, with %s beside it',
    async (beside) => {
      const cjs = `const { defineHook } = require('@spec/hooks');
      module.exports = defineHook({ hook: 'after_thread_created', id: 'ID', execute: async () => {} });`;
      const { path, write } = temporaryFolder({
        'a.mjs': hookModule('esm'),
        'b.cjs': cjs.replace('ID', 'common_js'),
        'c.js': hookModule('plain_esm'),
        'd.js': cjs.replace('ID', 'plain_common_js'),
        'e.cjs': `${cjs.replace('module.exports =', 'exports.default =').replace('ID', 'compiled')}
        Object.defineProperty(exports, '__esModule', { value: true });`,
        'package/package.json': '{ "type": "module" }',
        'package/f.js': hookModule('esm_by_package'),
      });
      if (beside === 'a copy of this package') installCopy(write);
      const expected = ['esm', 'common_js', 'plain_esm', 'plain_common_js', 'compiled', 'esm_by_package'];
      expect(ids(await loadHooks(path))).toEqual(expected);
    },
  );

  test('what TypeScript can: enums, parameter properties, type imports, top-level await, JSON, CRLF', async () => {
    const text = `import type { HookMessage } from '@spec/hooks';
      import { defineHook } from '@spec/hooks';
      import limits from './limits.json' with { type: 'json' };
      enum Side { Newest = 1 }
      class Last { constructor(private readonly n: number) {} of(m: HookMessage[]): HookMessage[] { return m.slice(-this.n); } }
      const last = await Promise.resolve(new Last(limits.last * Side.Newest));
      export default defineHook({ hook: 'filter_messages', id: 'last', execute: async (state, messages) => last.of(messages) });`;
    const { path } = temporaryFolder({
      'limits.json': '{ "last": 2 }',
      'last.ts': text.replaceAll('\n', '\r\n'),
    });
    const [hook] = await loadHooks(path);
    const messages = [userMessage('one'), userMessage('two'), userMessage('three')];
    const scope = scopeOf([{ hook: hook as AnyHook, source: 'test' }]);
    const kept = await createExecutor().run('filter_messages', scope, fakeState(), messages);
    expect(kept.map(({ content }) => content)).toEqual(['two', 'three']);
  });

  test('nothing else in the folder is touched', async () => {
    const loud = 'throw new Error("imported")';
    const { path } = temporaryFolder({
      'hook.ts': hookModule('hook'),
      'README.md': '# Hooks',
      'data.json': '{',
      'hook.test.ts': loud,
      'hook.spec.mts': loud,
      'hook.test-d.ts': loud,
      'types.d.ts': loud,
      'types.d.mts': loud,
      '_helper.ts': loud,
      '_helpers/more.ts': loud,
      '.hidden.ts': loud,
      '.git/hook.ts': loud,
      'node_modules/package/index.js': loud,
    });
    expect(ids(await loadHooks(path))).toEqual(['hook']);
  });

  test('a helper is evaluated once, however many modules import it', async () => {
    const importing = (id: string) =>
      `import { defineHook } from '@spec/hooks';
      import { next } from './_count';
      export default defineHook({ hook: 'after_thread_created', id: '${id}_' + next(), execute: async () => {} });`;
    const { path } = temporaryFolder({
      '_count.ts': 'let n = 0; export const next = () => ++n;',
      'a.ts': importing('a'),
      'b.ts': importing('b'),
    });
    expect(ids(await loadHooks(path))).toEqual(['a_1', 'b_2']);
  });

  test.each([
    ['ts', false],
    ['mjs', false],
    ['mjs', true],
  ])(
    'a module that collects the hooks of others (index.%s, package installed: %s) changes nothing',
    async (ending, installed) => {
      const { path, write } = temporaryFolder({
        [`a.${ending}`]: hookModule('a'),
        [`b.${ending}`]: hookModule('b'),
        [`index.${ending}`]: `import a from './a.${ending}'; import b from './b.${ending}'; export default [a, b];`,
      });
      if (installed) installCopy(write);
      const hooks = await loadHooks(path);
      expect(ids(hooks)).toEqual(['a', 'b']);
      expect(sourceOf(hooks[0] as AnyHook)).toBe(join(path, `a.${ending}:5`));
    },
  );

  test('through links, with spaces and other letters in names, from a relative path or a URL', async () => {
    const elsewhere = temporaryFolder({
      'shared hook.ts': hookModule('shared'),
      'deep/er.ts': hookModule('deeper'),
    });
    const { path, link } = temporaryFolder({ 'Ähre (1).ts': hookModule('umlaut') });
    link('linked', elsewhere.path);
    link('again.ts', join(elsewhere.path, 'shared hook.ts'));
    link('loop', path);
    const expected = ['shared', 'deeper', 'umlaut'];
    expect(ids(await loadHooks(path))).toEqual(expected);
    expect(ids(await loadHooks(relative(process.cwd(), path)))).toEqual(expected);
    expect(ids(await loadHooks(pathToFileURL(`${path}/`)))).toEqual(expected);
    link('folder-link', elsewhere.path);
    expect(ids(await loadHooks(join(path, 'folder-link')))).toEqual(['deeper', 'shared']);
  });

  test('a second call reads the files as they are then', async () => {
    const { path, write } = temporaryFolder({ '_id.ts': 'export const id = "old";', 'a.json': '{ "n": 1 }' });
    const text = `import { defineHook } from '@spec/hooks'; import { id } from './_id.ts'; import j from './a.json';
      export default defineHook({ hook: 'after_thread_created', id: id + '_' + j.n, execute: async () => {} });`;
    write('hook.ts', text);
    expect(ids(await loadHooks(path))).toEqual(['old_1']);
    write('_id.ts', 'export const id = "new";');
    write('a.json', '{ "n": 2 }');
    expect(ids(await loadHooks(path))).toEqual(['new_2']);
  });

  test('the copy of the core that runs the hooks, and modules that are given along', async () => {
    const { path } = temporaryFolder({
      'hook.ts': "import { make } from '@acme/made'; export default make();",
    });
    const made = defineHook({ hook: 'after_thread_created', id: 'made', execute: async () => {} });
    expect(await loadHooks(path, { modules: { '@acme/made': { make: () => made } } })).toEqual([made]);
  });

  test('nothing is written to disk', async () => {
    const { path } = temporaryFolder({ 'hook.ts': hookModule('hook'), 'node_modules/.keep': '' });
    const before = existsSync(join(tmpdir(), 'jiti'));
    await loadHooks(path);
    expect(readdirSync(join(path, 'node_modules'))).toEqual(['.keep']);
    expect(existsSync(join(tmpdir(), 'jiti'))).toBe(before);
  });

  test('with a cache, translations are kept by the text that they are of', async () => {
    const { path, write } = temporaryFolder({ 'hooks/hook.ts': hookModule('hook') });
    const cache = join(path, 'cache');
    const load = async () => ids(await loadHooks(join(path, 'hooks'), { cache }));
    expect(await load()).toEqual(['hook']);
    const [kept = ''] = readdirSync(cache);
    expect(await load()).toEqual(['hook']);
    expect(readdirSync(cache)).toEqual([kept]);
    const translated = readFileSync(join(cache, kept), 'utf8');
    write(`cache/${kept}`, translated.replace(/id: (['"])hook\1/, "id: 'from_the_cache'"));
    expect(await load()).toEqual(['from_the_cache']);
    write('hooks/hook.ts', hookModule('other'));
    expect(await load()).toEqual(['other']);
  });

  test('sourceOf tells the file and the line', async () => {
    const { path } = temporaryFolder({
      'one.ts': hookModule('one'),
      'two.ts': "// made elsewhere\nimport { made } from './_made.ts';\nexport default made;\n",
      '_made.ts': hookModule('made').replace('export default', 'export const made ='),
    });
    const [one, made] = await loadHooks(path);
    expect(sourceOf(one as AnyHook)).toBe(join(path, 'one.ts:5'));
    expect(sourceOf(made as AnyHook)).toBe(join(path, 'two.ts:3'));
    const [again] = await loadHooks(path);
    expect(sourceOf(again as AnyHook)).toBe(join(path, 'one.ts:5'));
    expect(
      sourceOf(defineHook({ hook: 'after_thread_created', id: 'x', execute: async () => {} })),
    ).toBeUndefined();
  });
});

/** Another copy of this package, as Node finds it from a module in an application. */
function installCopy(write: (name: string, text: string) => void): void {
  const folder = 'node_modules/@spec/hooks';
  write(`${folder}/package.json`, '{ "type": "module", "exports": "./index.js" }');
  write(
    `${folder}/index.js`,
    "export const defineHook = (options) => Object.freeze({ ...options, [Symbol.for('@spec/hooks/defined')]: true });",
  );
}
