import { mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../test/temporary-folder.ts';
import { compileMatcher } from '../index.ts';
import { realPaths } from './real-paths.ts';

afterEach(() => void vi.unstubAllEnvs());

interface Resolving extends TemporaryFolder {
  resolvePath(path: string): string;
}

function resolving(files: Readonly<Record<string, string>>): Resolving {
  const folder = temporaryFolder(files);
  const { resolvePath } = realPaths(folder.path);
  return { ...folder, resolvePath: (path) => resolvePath?.(path) ?? 'none' };
}

test('a path with a NUL character is refused, and not quoted', () => {
  const call = { name: 'Read', input: { file_path: 'secret\0name' } };
  const matcher = compileMatcher({ paths: 'x/**' });
  expect(() => matcher.test(call, realPaths())).toThrow(/^A path cannot be followed: EINVAL\.$/);
});

describe('realPaths', () => {
  test('follows links to files and folders, also where the rest does not exist', () => {
    const { path, link, resolvePath } = resolving({ 'real/a.txt': '' });
    link('folder', join(path, 'real'));
    link('file', 'real/a.txt');
    expect(resolvePath('folder/a.txt')).toBe(join(path, 'real/a.txt'));
    expect(resolvePath(join(path, 'file'))).toBe(join(path, 'real/a.txt'));
    expect(resolvePath('folder/new/b.txt')).toBe(join(path, 'real/new/b.txt'));
    expect(resolvePath('nothing/at/all')).toBe(join(path, 'nothing/at/all'));
    expect(resolvePath('real/a.txt/below')).toBe(join(path, 'real/a.txt/below'));
    expect(resolvePath('./real//./a.txt')).toBe(join(path, 'real/a.txt'));
  });

  test('takes .. from where a link leads, as the kernel does', () => {
    const { path, link, resolvePath } = resolving({ 'a/b/secret': '', 'here/x': '' });
    link('here/link', join(path, 'a/b'));
    expect(resolvePath('here/link/../b/secret')).toBe(join(path, 'a/b/secret'));
    expect(resolvePath('here/link/..')).toBe(join(path, 'a'));
    expect(resolvePath('missing/../here/x')).toBe(join(path, 'here/x'));
    expect(resolvePath('/../..')).toBe('/');
  });

  test('follows a link whose target does not exist yet', () => {
    const { path, link, resolvePath } = resolving({});
    mkdirSync(join(path, 'secrets'));
    link('innocent', 'secrets/new.txt');
    link('chain', 'innocent');
    expect(resolvePath('innocent')).toBe(join(path, 'secrets/new.txt'));
    expect(resolvePath('chain')).toBe(join(path, 'secrets/new.txt'));
  });

  test('throws for a loop of links', () => {
    const { link, resolvePath } = resolving({});
    link('a', 'b');
    link('b', 'a');
    expect(() => resolvePath('a/x')).toThrow(expect.objectContaining({ code: 'ELOOP' }));
  });

  test.runIf(process.platform === 'linux')(
    'throws for a link to the working folder of this process, which is another for a tool',
    () => {
      const { path, link, resolvePath } = resolving({ 'secrets/x': '' });
      link('here', '/proc/self/cwd');
      expect(() => resolvePath('here/secrets/x')).toThrow('depends on the process');
      expect(realPaths().resolvePath?.(join(path, 'here/x'))).toBe(join(process.cwd(), 'x'));
    },
  );

  test('allows nothing that cannot be followed', () => {
    const { path } = temporaryFolder({});
    const call = { name: 'Read', input: { file_path: 'a\0b' } };
    expect(compileMatcher({ paths: '**' }).isAll(call, realPaths(path))).toBe(false);
    expect(() => compileMatcher({ paths: '**' }).test(call, realPaths(path))).toThrow();
  });

  test('starts from the working folder by default', () => {
    expect(realPaths().cwd).toBe(process.cwd());
    expect(realPaths('packages').cwd).toBe(join(process.cwd(), 'packages'));
  });

  test('knows where ~ and variables lead', () => {
    const { path } = temporaryFolder({ 'secrets/key.pem': '' });
    vi.stubEnv('HOME', path);
    vi.stubEnv('SECRETS', 'secrets');
    const matcher = compileMatcher({ paths: ['~/secrets/**', '/root/**'] });
    const isGuarded = (file_path: string) =>
      matcher.test({ name: 'Read', input: { file_path } }, realPaths('/'));
    const name = userInfo().username;
    const forms = [
      '~/secrets/x',
      '$HOME/secrets/x',
      `~/$SECRETS/x`,
      `~${name}/secrets/x`,
      `file://${path}/secrets/x`,
    ];
    expect(forms.filter((form) => !isGuarded(form))).toEqual([]);
    expect(isGuarded('~root/x')).toBe(true);
    expect(isGuarded('~nobody-has-this-name/x')).toBe(false);
    expect(realPaths().homes?.()).toContain(userInfo().homedir);
    expect(realPaths().homes?.('nobody-has-this-name')).toEqual([
      join(dirname(path), 'nobody-has-this-name'),
    ]);
  });

  test('makes a matcher see the file behind a link', () => {
    const { path, link } = temporaryFolder({ 'secrets/key.pem': '' });
    link('harmless', join(path, 'secrets'));
    const matcher = compileMatcher({ tools: 'Write', paths: 'secrets/**' });
    const call = { name: 'Write', input: { file_path: 'harmless/key.pem' } };
    expect(matcher.test(call, realPaths(path))).toBe(true);
    expect(matcher.test(call, { cwd: path })).toBe(false);
  });
});
