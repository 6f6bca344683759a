import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunError } from '../errors.ts';
import { compileMatcher, type MatchEnvironment } from './matcher.ts';

function matches(paths: string | string[], path: string, environment?: MatchEnvironment): boolean {
  return compileMatcher({ paths }).test({ name: 'Edit', input: { file_path: path } }, environment);
}

describe('paths against a working folder', () => {
  test.each([
    ['src/**', 'src/a.ts', true],
    ['src/**', './src//a.ts', true],
    ['src/**', '/work/src/a.ts', true],
    ['src/**', '../work/src/a.ts', true],
    ['src/**', 'src/../lib/a.ts', false],
    ['src/**', '/elsewhere/src/a.ts', false],
    ['./src/**', 'src/a.ts', true],
    ['lib/../src/**', 'src/a.ts', true],
    ['../other/**', '/other/x', true],
    ['../other/**', '../other/x', true],
    ['/etc/**', '/etc/passwd', true],
    ['/etc/**', '../etc/passwd', true],
    ['/etc/**', '../../../../etc/passwd', true],
    ['/etc/**', 'etc/passwd', false],
    ['/**', 'a', true],
    ['/work/*.md', 'README.md', true],
    ['**/.env*', '/etc/.env.local', true],
    ['**/.env*', '../.env', true],
    ['**/.env*', 'x/.env', true],
    ['./**', '/etc/x', false],
    ['./**', 'x', true],
    ['.', '.', true],
    ['*.pem', 'key.pem', true],
    ['*.pem', 'a/key.pem', false],
    ['{/etc,secrets}/**', 'secrets/x', true],
    ['{/etc,secrets}/**', '/etc/x', true],
    ['src/**', '', false],
  ])('%s on %j: %s', (glob, path, expected) => {
    expect(matches(glob, path, { cwd: '/work' })).toBe(expected);
  });

  test('any glob of a list is enough, unless one with "!" fits', () => {
    const globs = ['src/**', 'lib/**', '!**/*.test.ts'];
    expect(matches(globs, 'lib/a.ts')).toBe(true);
    expect(matches(globs, 'lib/a.test.ts')).toBe(false);
    expect(matches('!src/**', 'lib/a')).toBe(true);
    expect(matches('!src/**', 'src/a')).toBe(false);
    expect(() => matches('!', 'a')).toThrow('excludes nothing');
    expect(() => matches('!!a', 'a')).toThrow('excludes nothing');
  });

  test('every path field counts, so that a decoy in one does not hide the other', () => {
    const matcher = compileMatcher({ paths: '**/.env' });
    expect(matcher.test({ name: 'x', input: { file_path: 'ok', path: '.env' } })).toBe(true);
    expect(matcher.test({ name: 'x', input: { notebook_path: 'a/.env' } })).toBe(true);
    expect(matcher.test({ name: 'x', input: { file_path: 1, file: '.env' } })).toBe(false);
    for (const field of ['absolute_path', 'dir_path', 'target_file', 'filePath', 'dirPath'])
      expect([field, matcher.test({ name: 'x', input: { [field]: '.env' } })]).toEqual([field, true]);
    expect(matcher.test({ name: 'move_file', input: { source: '.env', destination: 'x' } })).toBe(true);
    expect(matcher.isAll({ name: 'move_file', input: { path: '.env', source: 'x', destination: 'y' } })).toBe(
      false,
    );
    expect(matcher.test({ name: 'translate', input: { source: '.env' } })).toBe(false);
    expect(matcher.test({ name: 'x', input: Object.create({ path: '.env' }) })).toBe(false);
  });
});

describe('paths without a working folder', () => {
  test.each([
    ['src/**', 'src/a', true],
    ['src/**', 'a/../src/b', true],
    ['**/.env', '../x/.env', true],
    ['**/.env', '/x/.env', true],
    ['/etc/**', '/etc/x', true],
    ['../x/**', '../x/y', true],
  ])('%s on %j: %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected);
  });

  test.each([
    ['src/**', '/work/src/a'],
    ['/etc/**', '../etc/x'],
    ['/etc/**', 'etc/x'],
    ['src/**', '../work/src/a'],
    ['../x/**', 'y'],
  ])('%s on %j is an error, not a guess', (glob, path) => {
    expect(() => matches(glob, path)).toThrow(RunError);
    expect(() => matches(glob, path)).toThrow('Give the matcher a cwd.');
  });

  test('a cwd that is not absolute is an error', () => {
    expect(() => matches('src/**', 'src/a', { cwd: 'work' })).toThrow('must be an absolute path');
  });
});

describe('links', () => {
  let root = '';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'match-links-'));
    for (const folder of ['project', 'real_src', 'secret']) mkdirSync(join(root, folder));
    symlinkSync(join(root, 'real_src'), join(root, 'project/src'));
    symlinkSync(join(root, 'secret'), join(root, 'real_src/harmless'));
    symlinkSync(join(root, 'project'), join(root, 'here'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  /** Files that are yet to be written have a real folder. */
  const resolvePath = (path: string): string => {
    try {
      return realpathSync(path);
    } catch {
      return join(resolvePath(dirname(path)), basename(path));
    }
  };

  test('are followed in paths and in the fixed part of globs', () => {
    const environment = { cwd: join(root, 'here'), resolvePath };
    expect(matches('src/**', 'src/new.ts', environment)).toBe(true);
    expect(matches('src/**', join(root, 'real_src/new.ts'), environment)).toBe(true);
    expect(matches(`${root}/here/**`, join(root, 'project/new.ts'), environment)).toBe(true);
    expect(matches('src/**', 'src/harmless/key', environment)).toBe(false);
    expect(matches(`${root}/secret/**`, 'src/harmless/key', environment)).toBe(true);
    expect(matches('src/**', 'src/harmless/key', { cwd: join(root, 'here') })).toBe(true);
  });

  test('a dot-dot after a link leaves the folder that the link leads to', () => {
    const environment = { cwd: join(root, 'project'), resolvePath };
    mkdirSync(join(root, 'secret/deep'), { recursive: true });
    expect(matches(`${root}/secret/**`, 'src/harmless/deep/../key', environment)).toBe(true);
  });

  test('keeps the environment as the receiver of resolvePath', () => {
    const environment = {
      cwd: '/',
      prefix: '/real',
      resolvePath(path: string) {
        return this.prefix + path;
      },
    };
    expect(matches('/a', 'a', environment)).toBe(true);
  });
});
