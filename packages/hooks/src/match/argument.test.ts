import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DefinitionError } from '../errors.ts';
import { compileMatcher } from './matcher.ts';

function matches(matcher: string, command: unknown): boolean {
  return compileMatcher(matcher).test({ name: 'Bash', input: { command } });
}

describe('the argument of a tool', () => {
  test.each([
    ['Bash(git:*)', 'git', true],
    ['Bash(git:*)', 'git push', true],
    ['Bash(git:*)', 'gitk', false],
    ['Bash(git:*)', 'git-lfs x', false],
    ['Bash(git:*)', 'legit x', false],
    ['Bash(git:*)', 'echo git', false],
    ['Bash(git:*)', 'ls; cd x && git push', true],
    ['Bash(git:*)', '/usr/local/bin/git push', true],
    ['Bash(git:*)', 'sudo git', true],
    ['Bash(git push:*)', 'git push', true],
    ['Bash( git   push :*)', 'git\tpush origin', true],
    ['Bash(git push:*)', 'git pushx', false],
    ['Bash(git push:*)', 'git pull', false],
    ['Bash(git push:*)', 'git commit -m "git push"', false],
    ['Bash(git push:*)', 'git $SUB', true],
    ['Bash(git push:*)', 'git $SUB push', true],
    ['Bash(git push:*)', 'git pu$REST', true],
    ['Bash(git push:*)', 'git push$REST', true],
    ['Bash(git push:*)', 'git commit $REST', false],
    ['Bash(git push:*)', '$CMD', true],
    ['Bash(git push:*)', 'echo $CMD', false],
    ['Bash(git push:*)', 'git -C dir push', true],
    ['Bash(git push:*)', 'sudo /usr/bin/git -c a=b -C "my dir" --no-pager push', true],
    ['Bash(git push:*)', 'git --git-dir=x push', true],
    ['Bash(git push:*)', 'git -P push', true],
    ['Bash(git push:*)', 'git -- push', true],
    ['Bash(git push:*)', 'git -C "$DIR" push', true],
    ['Bash(git push:*)', 'git -C dir "$SUB"', true],
    ['Bash(git push:*)', 'git -C "$DIR" status', false],
    ['Bash(git push:*)', 'git -C dir log push', false],
    ['Bash(git push:*)', 'git --no-pager log push', false],
    ['Bash(git push:*)', 'git commit -m push', false],
    ['Bash(git push --force:*)', 'git -C dir push -v --force', true],
    ['Bash(git push *--force*)', 'git -C dir push origin --force', true],
    ['Bash(git push *--force*)', 'git -C dir push origin', false],
    ['Bash(git push*)', 'git -C dir push', true],
    ['Bash(git push*)', 'git -C dir push-x --force', true],
    ['Bash(git push*)', 'git -C dir pull', false],
    ['Bash(git push*--force*)', 'git -C dir push origin --force', true],
    ['Bash(git push*--force*)', 'git -C dir push origin', false],
    ['Bash(git push* origin)', 'git -C dir $SUB', true],
    ['Bash(git push:*)', 'git.exe -C dir push', true],
    ['Bash(git.exe push:*)', 'git.exe push', true],
    ['Bash(git push:*)', 'SUDO /usr/bin/GIT push', true],
    ['Bash(git push:*)', 'Bash -c "GIT push"', true],
    ['Bash(git push:*)', 'git PUSH', false],
    ['Bash(git status)', 'git -C dir status', true],
    ['Bash(git status)', 'git -C dir status -s', false],
    ['Bash(docker compose down:*)', 'docker --context a compose -f x.yml down', true],
    ['Bash(git push *)', 'git push', true],
    ['Bash(git push *)', 'git push -f', true],
    ['Bash(git push *)', 'git pushx', false],
    ['Bash(git pus*)', 'git pushx', true],
    ['Bash(git status)', 'git status', true],
    ['Bash(git status)', 'git status > x', true],
    ['Bash(git status)', 'git status -s', false],
    ['Bash(git status)', 'git status $X', true],
    ['Bash(git push *--force*)', 'git push origin --force', true],
    ['Bash(git push *--force*)', 'git push origin --force-with-lease x', true],
    ['Bash(git push *--force*)', 'git push origin main', false],
    ['Bash(git push *--force*)', 'git push "$BRANCH"', true],
    ['Bash(git push *--force*)', 'git pull $X', false],
    ['Bash(git push *--force*)', 'sudo git pull && git push --force', true],
    ['Bash(* --force:*)', 'git push --force x', true],
    ['Bash(* --force:*)', 'git push --forced', false],
    ['Bash(*)', 'anything', true],
    ['Bash(*)', '', false],
    ['Bash(npm run test:unit)', 'npm run test:unit', true],
    ['Bash(npm run test:*)', 'npm run test:unit', false],
    ['Ba*(git:*)', 'git', true],
    ['*(git:*)', 'git', true],
    ['Bash(git:*)|Bash(npm:*)', 'npm i', true],
    ['Bash(git:*)', ['git', 'push'], true],
    ['Bash(git:*)', ['bash', '-lc', 'git push'], true],
    ['Bash(git:*)', ['git', 1], true],
    ['Bash(git:*)', 1, false],
    ['Bash(git:*)', undefined, false],
  ])('%s on %j: %s', (matcher, command, expected) => {
    expect(matches(matcher, command)).toBe(expected);
  });

  test('is looked for in command and in cmd, of any input', () => {
    const matcher = compileMatcher('shell(git:*)');
    expect(matcher.test({ name: 'shell', input: { cmd: 'git push' } })).toBe(true);
    expect(matcher.test({ name: 'shell', input: { command: 'ls', cmd: 'git push' } })).toBe(true);
    expect(matcher.test({ name: 'shell', input: { script: 'git push' } })).toBe(false);
    expect(matcher.test({ name: 'shell', input: Object.create({ cmd: 'git' }) })).toBe(false);
    for (const input of [undefined, null, 'git push', ['git'], 7]) {
      expect(matcher.test({ name: 'shell', input })).toBe(false);
    }
  });

  test.each([
    ['Bash()', 'names no command', '(git:*)'],
    ['Bash(:*)', 'names no command', '(git:*)'],
    ['Bash(git:* push)', 'has ":*" before its end', 'Put ":*" last'],
    ['Bash(a:*:*)', 'has ":*" before its end', 'Put ":*" last'],
    ['Bash(src/**)', 'looks like a path', 'paths'],
    ['Bash(git "push":*)', 'holds "\\""', 'plain words'],
    ['Bash(a && b:*)', 'holds "&"', 'plain words'],
    ['Bash(a > b)', 'holds ">"', 'commands: /…/'],
    ['Bash(git|npm:*)', 'holds "|"', 'plain words'],
    ['Read(src/**)', 'Read runs none', "Write { tools: 'Read', paths: 'src/**' }."],
    ['WebFetch(domain:*)', 'WebFetch runs none', 'input: { url: /…/ }'],
  ])('%s is refused', (matcher, problem, remedy) => {
    expect(() => compileMatcher(matcher)).toThrow(DefinitionError);
    expect(() => compileMatcher(matcher)).toThrow(problem);
    expect(() => compileMatcher(matcher)).toThrow(remedy);
  });
});

describe('however the words are written, they are found', () => {
  const writeChar = (char: string) =>
    fc.constantFrom(
      char,
      `\\${char}`,
      `'${char}'`,
      `"${char}"`,
      `$'${char}'`,
      `$'\\x${char.charCodeAt(0).toString(16)}'`,
      `${char}''`,
      `\\\n${char}`,
    );
  const writeWord = (word: string) => fc.tuple(...Array.from(word, writeChar)).map((chars) => chars.join(''));
  const blank = fc.constantFrom(' ', '\t', '  ', ' \\\n ', ' >x ', ' 2>&1 ');
  const before = fc.constantFrom(
    '',
    'ls; ',
    'ls &&',
    'ls\n',
    'A=1 ',
    '>x ',
    'if ',
    '! ',
    '(',
    '{ ',
    'echo `',
    'echo $(',
    'echo "$(',
    'sudo -u root ',
    'env A=b ',
  );
  const after: Record<string, string> = {
    '(': ')',
    '{ ': ';}',
    'echo `': '`',
    'echo $(': ')',
    'echo "$(': ')"',
    'if ': '; then a; fi',
  };

  test('git push, quoted in any way, in any place', () => {
    fc.assert(
      fc.property(before, writeWord('git'), blank, writeWord('push'), (start, git, between, push) => {
        // Inside backticks a backslash before a backslash, a dollar or a backtick is removed first.
        const words = `${git}${between}${push}`;
        const line =
          start + (start === 'echo `' ? words.replace(/[\\`$]/g, '\\$&') : words) + (after[start] ?? '');
        expect(matches('Bash(git push:*)', line)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a harmless line of plain words never matches', () => {
    const word = fc
      .stringMatching(/^[a-z0-9_./-]{1,8}$/)
      .filter((text) => !/(^|\/)(git|sh|[a-z]*sh|fish)$/.test(text));
    const line = fc
      // No program that runs others is called so.
      .array(fc.array(word).map((words) => ['my-tool', ...words].join(' ')))
      .map((commands) => commands.join(' && '));
    fc.assert(
      fc.property(line, (text) => {
        expect(matches('Bash(git push:*)', text)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    'git commit -m "don\'t push"',
    "git commit -m \"$(cat <<'EOF'\nDon't git push.\n\nSigned: me\nEOF\n)\"",
    'npm test 2>&1 | tail -20',
    'cd "$HOME/x" && npm run build',
    'for f in *.ts; do echo "$f"; done',
    'grep -rn "git push" src | head',
    'python3 - <<EOF\nprint("git push")\nEOF',
    'echo $(( (a + 1) * 2 )) && ls',
    'sed -i "s/a/b/" $(find . -name "*.ts")',
    'find . -name "*.log" -exec rm {} \\;',
    "sudo tee /etc/x <<EOF\ndon't\nEOF",
    'timeout 60 npm test -- "$FILTER"',
    'git log --oneline | xargs -n1 echo',
    "awk '{ print $1 }' x",
    'test -f x && [ -d y ] || exit 1',
    'curl -s https://example.com/x?y=1&z=2',
    'case "$1" in a|b) ls;; *) pwd;; esac',
  ])('an everyday line does not match: %j', (line) => {
    expect(matches('Bash(git push:*)', line)).toBe(false);
  });
});
