// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what a tool may fill in
import { describe, expect, test } from 'vitest';
import { RunError } from '../errors.ts';
import { compileMatcher, type MatchEnvironment } from './matcher.ts';

const environment: MatchEnvironment = {
  cwd: '/work',
  homes: (name) => (name === undefined || name === 'me' ? ['/home/me', '/users/me'] : [`/home/${name}`]),
  variables: { HOME: '/home/me', PWD: '/work', OLDPWD: '/old', NOTHING: undefined, DEEP: '~/deep' },
};

const read = (path: unknown) => ({ name: 'Read', input: { file_path: path } });

function matches(paths: string | string[], path: unknown, given = environment): boolean {
  return compileMatcher({ paths }).test(read(path), given);
}

describe('a path that can be read in several ways', () => {
  test.each([
    ['/home/me/.env', '~/.env'],
    ['/users/me/.env', '~/.env'],
    ['/home/me', '~'],
    ['/home/me/.env', '~me/.env'],
    ['/home/other/.env', '~other/.env'],
    ['/home/me/.env', '~/a/..//./.env'],
    ['/home/other/.env', '~/../other/.env'],
    ['.env', '~+/.env'],
    ['/old/.env', '~-/.env'],
    ['~/.env', '~/.env'],
    ['./~/.env', '~/.env'],
    ['~/.env', '/home/me/.env'],
    ['{~/.env,x}', '/home/me/.env'],
    ['~/**', '~/x'],
    ['~', '~/'],
    ['/home/me/.env', '$HOME/.env'],
    ['/home/me/.env', '${HOME}/.env'],
    ['/home/me/deep/x', '$DEEP/x'],
    ['.env', '$PWD/.env'],
    ['.env', '.e$NOTHING${MISSING}nv'],
    ['.env', '$OLDPWD/../work/.env'],
    ['.env', ' .env\n'],
    ['/home/me/.env', ' ~/.env'],
    ['/etc/passwd', 'file:///etc/passwd'],
    ['/etc/passwd', 'FILE://localhost/etc/passwd'],
    ['/etc/passwd', ' fi\nle:/etc/passwd?x#y'],
    ['/etc/passwd', 'file:\\\\\\etc\\passwd'],
    ['/etc/passwd', 'file:///etc/p%61sswd'],
    ['/etc/p%61sswd', 'file:///etc/p%61sswd'],
    ['/etc/pass\u00e4', 'file:///etc/pass%C3%A4'],
    ['/etc/p%ff', 'file:///etc/%70%ff'],
    ['.env', 'file:.env'],
    ['**/.env', 'file:///x/%2eenv'],
    ['.env', '/proc/self/cwd/.env'],
    ['.env', '//proc/./123/task/9/cwd/.env'],
    ['.env', '../proc/self/root/proc/thread-self/cwd/.env'],
    ['/etc/passwd', '/proc/self/root/etc/passwd'],
    ['.env', './.env/'],
    ['.env', '.env/.'],
    ['/etc/passwd', '//etc///passwd/'],
  ])('%s is guarded from %j', (glob, path) => {
    expect(matches(glob, path)).toBe(true);
    expect(matches(glob, 'other')).toBe(false);
  });

  test.each([
    ['/home/me/**', 'x~/.env'],
    ['/home/me/**', 'a/~/.env'],
    ['/etc/**', 'src/file:/etc/passwd'],
    ['.env', '/proc/self/cwd2/.env'],
    ['src/**', 'docs/$page.md'],
  ])('%s is not %j', (glob, path) => {
    expect(matches(glob, path)).toBe(false);
  });

  test.each([
    ['/home/me/**', '~/x'],
    ['~/**', '~/x'],
    ['src/**', '$PWD/src/a'],
    ['src/**', 'src/../~/x'],
    ['src/**', '/proc/self/cwd/src/a'],
    [['**', '!/home/me/**'], '~/x'],
  ])('%s allows what is there in each reading alone: %j', (paths, path) => {
    expect(compileMatcher({ paths }).isAll(read(path), environment)).toBe(false);
  });

  test.each([
    ['src/**', 'src/routes/$id.tsx'],
    [['~/**', './~/**'], '~+'],
    ['**', '~/x'],
  ])('%s allows %j', (paths, path) => {
    const given = { ...environment, homes: () => ['/work/~'], cwd: '/work/~' };
    expect(compileMatcher({ paths }).isAll(read(path), paths === 'src/**' ? environment : given)).toBe(true);
  });

  test('what one reading leads to is not excluded by another', () => {
    expect(matches(['**', '!./~/**'], '~/x')).toBe(true);
    expect(matches(['**', '!~/**', '!./~/**'], '~/x')).toBe(true); // In the second home.
  });

  test.each([
    ['/home/me/**', '~/x'],
    ['src/**', '$HOME/x'],
    ['~/x', 'x'],
    ['~/x', '/x'],
  ])('without homes, %s on %j is an error, not a guess', (glob, path) => {
    const { homes: _, ...given } = environment;
    expect(() => matches(glob, path, { ...given, variables: {} })).toThrow(RunError);
    expect(() => matches(glob, path, { ...given, variables: {} })).toThrow('Give the matcher homes');
  });

  test('without homes, a glob that holds anywhere needs none', () => {
    expect(matches('**/.env', '~/x/.env', {})).toBe(true);
    expect(matches('**/.env', '~/x/y', {})).toBe(false);
  });

  test('a text that variables would let grow without bounds is not tested', () => {
    expect(() => matches('src/**', '$HOME/'.repeat(65))).toThrow('more than 64 variables');
    expect(matches('/home/**', '$HOME/'.repeat(64))).toBe(true);
  });
});

describe('where the paths of an input stand', () => {
  const guard = compileMatcher({ paths: '**/.env' });
  const inner = compileMatcher({ paths: 'src/**' });
  const call = (input: unknown) => ({ name: 'Edit', input });

  test.each([
    { path: ['.env'] },
    { file_path: [['a'], ['.env']] },
    { file_path: { value: '.env' } },
    { paths: ['a', '.env'] },
    { file_paths: ['a', '.env'] },
    { file_path: 'src/a', edits: [{ file_path: '.env' }] },
    { file_path: 'src/a', edits: { 0: { notebook_path: '.env' } } },
    JSON.parse('{"file_path": "src/a", "__proto__": {"path": ".env"}}'),
    JSON.parse('{"file_path": "src/a", "constructor": {"prototype": {"path": ".env"}}}'),
    [{ path: '.env' }],
  ])('%j has a path that counts', (input) => {
    expect(guard.test(call(input), environment)).toBe(true);
    expect(inner.isAll(call(input), environment)).toBe(false);
  });

  test.each([
    {},
    { file_path: [] },
    { file_path: null },
    { text: '.env' },
    { edits: ['.env'] },
    Object.create({ path: '.env' }),
    '.env',
    null,
  ])('%j has none', (input) => {
    expect(guard.test(call(input), environment)).toBe(false);
    expect(guard.isAll(call(input), environment)).toBe(false);
    expect(guard.explain(call(input), environment)).toContain('the input has no path in');
  });

  test('a number is the name of a file', () => {
    expect(compileMatcher({ paths: '1' }).test(call({ path: 1 }), environment)).toBe(true);
  });

  test('however deep and however large the input is', () => {
    let deep: object = { path: '.env' };
    for (let i = 0; i < 100_000; i++) deep = i % 2 === 0 ? [deep] : { deep };
    expect(guard.test(call(deep), environment)).toBe(true);
    const wide = { edits: Array.from({ length: 100_000 }, (_, i) => ({ i })), path: '.env' };
    expect(guard.test(call(wide), environment)).toBe(true);
    const circle: Record<string, unknown> = {};
    circle.path = [circle, '.env'];
    expect(guard.test(call(circle), environment)).toBe(true);
  });
});
