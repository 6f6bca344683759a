// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import { describe, expect, test } from 'vitest';
import { compileMatcher } from './matcher.ts';

const status = compileMatcher('Bash(git status:*)|Bash(ls:*)|Bash(npm test)');
const call = (command: unknown, more: object = {}) => ({ name: 'Bash', input: { command, ...more } });

describe('who allows by a command', () => {
  test.each([
    'git status',
    '  git  status -s ',
    'git "status" \'-s\'',
    'git status -- "a b"',
    'ls -la',
    'ls /tmp 2>/dev/null',
    'npm test 2>&1',
    'npm test > /dev/null 2>&1',
  ])('allows %j', (line) => {
    expect(status.isAll(call(line))).toBe(true);
  });

  test.each([
    'git push',
    'ls && rm -rf ~',
    'ls; rm -rf ~',
    'ls | sh',
    'ls\nrm -rf ~',
    'ls & rm -rf ~',
    'ls $(rm -rf ~)',
    'ls `rm -rf ~`',
    'ls <(rm -rf ~)',
    'ls > ~/.bashrc',
    'ls >> x',
    'ls < x',
    'ls &> x',
    'ls 2>&1 > x',
    'ls >/dev/null > x',
    'ls <<E\nE',
    'ls <<< x',
    'ls $X',
    'ls "$X"',
    'ls *',
    'ls {a,b}',
    '$X ls',
    'l$X',
    'PATH=. ls',
    'LD_PRELOAD=./x.so ls',
    './ls',
    '/tmp/ls',
    'sudo ls',
    'env ls',
    'command ls',
    'exec ls',
    '! ls',
    '{ ls; }',
    'if ls; then rm x; fi',
    'ls() { rm -rf ~; }; ls',
    'ls # a',
    "ls $'a\\'; rm -rf ~ #'",
    "ls 'a",
    'ls ((',
    'git -c core.pager="rm x" status',
    'xargs ls',
    'ls \r# ; rm -rf ~',
    'git status "$\\\n(rm x)"',
    "git status $\\\n'\\'' ; rm x #'",
    'git status \\\n(rm x)',
    'git status $\\\n{x:=$(rm x)}',
    'git status \r rm x',
    'git status\u00a0rm x',
    'git status "a\nrm x"',
    "git status 'a\nrm x'",
    'git status "a\\"',
    'git status [a',
    'git status ~/x',
    'git status !rm',
    'git status {a..b}',
    'git status $[ 1<<2 ]',
    'git status >/dev/null/x',
    'git status >/dev/null\\\n/../../x',
    'git status >&1x',
    'git status &',
    'git status &>/dev/null',
    'git status 3>&1',
    '(ls)',
    '',
  ])('does not allow %j', (line) => {
    expect(status.isAll(call(line))).toBe(false);
  });

  test.each([
    ['git', 'git "-calias.x=!rm" x'],
    ['git', 'git -ccore.pager=rm log'],
    ['git', 'git --exec-path=/tmp x'],
    ['git', 'git --config-env=alias.x=HOME x'],
    ['git', 'git --config-env alias.x=HOME x'],
    ['git', 'git rebase -xrm'],
    ['git', 'git rebase --ex=rm'],
    ['git', 'git grep -Orm x'],
    ['git', 'git grep --open=rm x'],
    ['git', 'git difftool -x rm'],
    ['git', 'git difftool --ext=rm'],
    ['git', 'git clone -u rm x'],
    ['git', 'git clone --upload-pack=rm x'],
    ['git', 'git fetch --upload-pack rm x'],
    ['git', 'git clone "ext::sh x"'],
    ['tar', 'tar -Irm -cf x y'],
    ['tar', 'tar -cIrm -f x y'],
    ['tar', 'tar cfI x rm y'],
    ['tar', 'tar --use-compress=rm -cf x y'],
    ['tar', 'tar --to-com=rm -xf y'],
    ['tar', 'tar -F rm -cf x y'],
    ['sort', 'sort --compress-p=rm x'],
    ['split', 'split --filt=rm x'],
    ['rg', 'rg --pre rm x'],
    ['rg', 'rg --pre=rm x'],
    ['man', 'man -Prm x'],
    ['man', 'man -aPrm x'],
    ['git clone', 'git clone -qc core.hooksPath=./hk r d'],
    ['scp', 'scp -qS ./x a h:b'],
    ['scp', 'scp -BS./x a h:b'],
    ['scp', 'scp -rF ./x a h:b'],
    ['sftp', 'sftp -vS ./x h'],
    ['sftp', 'sftp -vD ./x'],
    ['wget', 'wget --use-ask=./x http://h/'],
    ['wget', 'wget -qeuse_askpass=./x http://h/'],
    ['wget', 'wget -e use-ask_pass=./x http://h/'],
    ['install', 'install -s --strip-p=./x a c'],
    ['diff3', 'diff3 --diff-p=./x a b a'],
    ['sdiff', 'sdiff --d=./x a b'],
    ['c99', 'c99 -wrapper ./x a.c'],
    ['gcc-12', 'gcc-12 -wrapper ./x a.c'],
    ['x86_64-linux-gnu-gcc', 'x86_64-linux-gnu-gcc -wrapper ./x -xc a'],
    ['pip', 'pip --python ./x list'],
    ['pip3', 'pip3 --py=./x list'],
    ['pip3.11', 'pip3.11 --python=./x list'],
    ['npm test', 'npm test --prefix ./x'],
    ['npm test', 'npm test -C ./x'],
    ['npm test', 'npm test --node-options=--require=./x'],
    ['npm test', 'npm test --userconfig ./x'],
    ['pnpm', 'pnpm --config.script-shell=./x test'],
    ['mypy', 'mypy --python-executable=./x a'],
    ['uv', 'uv pip install --python ./x y'],
    ['uv', 'uv run -p ./x y'],
    ['go', 'go build -overlay x'],
    ['go', 'go build -ldflags=-extld=./x'],
    ['go', "go build -ldflags '-s -extld=./x'"],
    ['openssl', 'openssl enc -engine ./x'],
    ['openssl', 'openssl speed -provider-path=./x -provider y'],
    ['curl', 'curl --engine ./x u'],
    ['php', 'php -z ./x y'],
    ['choom', 'choom -n 0 rm x'],
    ['script', 'script -qcrm x'],
    ['env', 'env -iSrm'],
    ['mapfile', 'mapfile -c1 -Crm x'],
    ['hash', 'hash -p x y'],
  ])('allows no program that an option of %s names: %j', (name, line) => {
    expect(compileMatcher(`Bash(${name}:*)`).isAll(call(line))).toBe(false);
  });

  test.each([
    ['git', 'git add -A'],
    ['git', 'git push -u origin main'],
    ['git', 'git -C sub status --short'],
    ['git', 'git log --oneline -5'],
    ['git', 'git commit -m "a fix, (at last)"'],
    ['tar', 'tar czf a.tgz src'],
    ['tar', 'tar -tf a.tgz'],
    ['grep', 'grep -rn "a|b;c" src'],
    ['sort', 'sort -u x'],
    ['make', 'make test'],
    ['npm test', 'npm test --silent'],
    ['npm', 'npm install -g x --save'],
    ['go', "go build -ldflags '-s -w' ./..."],
    ['curl', 'curl -sSf --retry 3 u'],
    ['sed', "sed -n '1,5p' x"],
  ])('allows what %s does itself: %j', (name, line) => {
    expect(compileMatcher(`Bash(${name}:*)`).isAll(call(line))).toBe(true);
  });

  test('looks at every command that the call has', () => {
    expect(status.isAll(call('ls', { cmd: 'ls -a' }))).toBe(true);
    expect(status.isAll(call('ls', { cmd: 'rm x' }))).toBe(false);
    expect(status.test(call('ls', { cmd: 'rm x' }))).toBe(true);
    expect(status.isAll({ name: 'Bash', input: {} })).toBe(false);
    expect(status.isAll(call(['ls', '-a']))).toBe(true);
    expect(status.isAll(call(['ls', '; rm x']))).toBe(true);
    expect(status.isAll(call(['sh', '-c', 'ls']))).toBe(false);
    expect(status.isAll({ name: 'Read', input: { command: 'ls' } })).toBe(false);
  });

  test('by a regular expression too', () => {
    for (const matcher of [{ commands: /^git status/ }, { input: { command: '^git status' } }]) {
      const compiled = compileMatcher(matcher);
      expect(compiled.isAll(call('git status -s'))).toBe(true);
      expect(compiled.test(call('git status; rm x'))).toBe(true);
      expect(compiled.isAll(call('git status; rm x'))).toBe(false);
    }
  });

  test('by a tool alone allows all that it does', () => {
    expect(compileMatcher('Bash').isAll(call('ls; rm x'))).toBe(true);
    expect(compileMatcher('get_*').isAll({ name: 'get_user', input: {} })).toBe(true);
  });
});

test('who allows by a path looks at every path that the call has', () => {
  const source = compileMatcher({ tools: 'Write', paths: 'src/**' });
  const environment = { cwd: '/work' };
  const write = (input: object) => ({ name: 'Write', input });
  expect(source.isAll(write({ file_path: 'src/a' }), environment)).toBe(true);
  expect(source.test(write({ file_path: 'src/a', path: '/etc/passwd' }), environment)).toBe(true);
  expect(source.isAll(write({ file_path: 'src/a', path: '/etc/passwd' }), environment)).toBe(false);
});

test('what cannot be tested is not allowed', () => {
  const long = 'x'.repeat(1_048_577);
  expect(() => status.test(call(long))).toThrow();
  expect(status.isAll(call(long))).toBe(false);
});
