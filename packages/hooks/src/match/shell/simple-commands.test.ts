// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import { describe, expect, test } from 'vitest';
import { readTexts } from '../../../test/shell-texts.ts';
import { UNKNOWN } from './scan.ts';
import { simpleCommands } from './simple-commands.ts';

/** Every text that a line may run, from every place where a command may begin. */
function listStarts(line: string): string[] {
  return simpleCommands(line).flatMap(({ text, starts }) => starts.map((start) => text.slice(start)));
}

const ANY = ['⁎'];

describe('a line is split', () => {
  test.each<[string, string[]]>([
    ['git push', ['git push']],
    ['  git \t push\r', ['git push']],
    ['', []],
    ['# git push', []],
    ['a && b || c; d | e & f |& g\nh', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
    ['echo a # b; c', ['echo a']],
    ['echo a#b; c', ['echo a#b', 'c']],
    ['git \\\n push', ['git push']],
    ['(cd x; git push)', ['cd x', 'git push']],
    ['{ a; b; }', ['a', 'b']],
    ['! a', ['a']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
    ['for i in 1 2; do a; done', ['for i in 1 2', 'a']],
    ['case x in y) a;; (z) b;; esac', ['case x in y', 'a', 'z', 'b']],
    ['f() { a; }', ['f', 'a']],
    ['function f { a; }', ['a']],
    ['A=1 B="x y" C[2]=3 D+=4 git push', ['git push']],
    ['A=1', []],
  ])('%j', (line, expected) => {
    expect(readTexts(line)).toEqual(expected);
  });
});

describe('quotes and escapes are removed', () => {
  test.each([
    ['"git" push', 'git push'],
    ["'git' push", 'git push'],
    ["g\\it pu''sh", 'git push'],
    ['g\\\nit push', 'git push'],
    ['"g\\\nit" push', 'git push'],
    ['echo "a \\" b"', 'echo a " b'],
    ['echo "a \\n"', 'echo a \\n'],
    ["echo 'a \\'", 'echo a \\'],
    ["echo 'a; b'", 'echo a; b'],
    ['echo $ "$"', 'echo $ $'],
    ['echo {a} {} HEAD@{1}', 'echo {a} {} HEAD@{1}'],
    ['[ -f x ]', '[ -f x ]'],
  ])('%j is %j', (line, expected) => {
    expect(readTexts(line)).toEqual([expected]);
  });
});

test('what bash and dash read in different ways is read in both', () => {
  expect(readTexts("echo $'it\\'s'")).toEqual(["echo it's", 'echo $it\\s']);
  expect(readTexts("echo $'a\\'; git push #'")).toEqual(["echo a'; git push #", 'echo $a\\', 'git push']);
  expect(readTexts("$'git' $'push'")).toEqual(['git push', '$git $push']);
  expect(readTexts("eval $'x git push'")).toContain('⁎ git push');
  expect(readTexts('cat < <((git push))')).toContain('git push');
  expect(readTexts('echo `git) push`')).toContain('git');
  expect(readTexts('((git push))')).toEqual(['git push']);
});

describe('redirections are left out', () => {
  test.each<[string, string[]]>([
    ['>x git push 2>&1', ['git push']],
    ['2>/dev/null git>x push', ['git push']],
    ['git push>>x<y>|z', ['git push']],
    ['{fd}>x git push', ['git push']],
    ['git 2 >x', ['git 2']],
    ['git push &>x', ['git push']],
    ['&>x git push', ['git push']],
    ['git &>x push', ANY],
    ['cat <<< "a b"', ['cat']],
    ['diff <(git push) x#y; z', ['git push', 'diff /dev/fd/⁎ x#y', 'z']],
    ['diff <(a)#b; c', ['a', 'diff /dev/fd/⁎#b', 'c']],
    ['tee >(a) > >(b)', ['a', 'b', 'tee /dev/fd/⁎']],
  ])('%j', (line, expected) => {
    expect(readTexts(line)).toEqual(expected);
  });
});

describe('commands inside words are found, and the words are unknown', () => {
  test.each<[string, string[]]>([
    ['echo $(a; b)', ['a', 'b', 'echo ⁎']],
    ['echo "x $(a "$(b ")")") y"', ['b )', 'a ⁎', 'echo x ⁎ y']],
    ['echo `a \\`b\\``', ['b', 'a ⁎', 'echo ⁎']],
    ['echo "`a \\"b c\\"`"', ['a b c', 'echo ⁎']],
    ['echo ${X:-$(a)} ${Y#x} z', ['a', 'echo ⁎ ⁎ z']],
    ['echo ${Y#"}"} "${Z:-\'}" z', ANY],
    ['echo $X $1 $? $10 "$@" $#', ['echo ⁎ ⁎ ⁎ ⁎0 ⁎ ⁎']],
    ['X=$(a) b', ['a', 'b']],
    ['a=(1 $(b))', ['b', '1 ⁎']],
    ['echo *.ts gi? [ab]', ['echo ⁎.ts gi⁎ ⁎ab]']],
    ['{git,push} g{i,}t a{1..3}b', ['⁎ g⁎t a⁎b']],
    ['$X push', ['⁎ push']],
    ['echo $((1<<2)) $(( (x+1) * 2 )); a', ['echo ⁎ ⁎', 'a']],
    ['((i = 1 << 2)) && a', ['a', 'i = 1', 'a']],
    ['echo $((1 + $(a)))', ANY],
    ['echo $[1+$(a)]', ANY],
    ["$'g\\x69t' push", ANY],
    ['$"git" push', ANY],
  ])('%j', (line, expected) => {
    expect(readTexts(line)).toEqual(expected);
  });
});

describe('here-documents', () => {
  test.each<[string, string[]]>([
    ['cat <<EOF\ngit push\nEOF\nls', ['cat', 'ls']],
    ["cat <<'EOF' && ls\n$(git push) don't\nEOF", ['cat', 'ls']],
    ["cat <<EOF\ndon't $(git push) `a`\nEOF\nls", ['cat', 'git push', 'a', 'ls']],
    ['cat <<EOF\n\\$(git push)\nEOF', ['cat']],
    ['cat <<-EOF\n\tx\n\tEOF\nls', ['cat', 'ls']],
    ['cat <<A <<"B C"\n"\nA\n\'\nB C\nls', ['cat', 'ls']],
    ["git commit -m \"$(cat <<'EOF'\nDon't (push\nEOF\n)\"; ls", ['cat', 'git commit -m ⁎', 'ls']],
    ['bash <<EOF\ngit push\nEOF', ['bash', 'git push']],
    ['ssh host <<EOF\ngit push\nEOF', ['ssh host', 'git push']],
    ['bash <<< "git push"', ['bash', 'git push']],
    ['cat <<EOF\ngit push', ANY],
    ['cat <<EOF', ANY],
    ['cat <<$X\na\nb', ANY],
    ['a[1<<2]=3\ngit push\n2]=3', ANY],
    ['echo $((1<<2))\ngit push', ANY],
  ])('%j', (line, expected) => {
    expect(readTexts(line)).toEqual(expected);
  });
});

describe('commands that run other commands are looked through', () => {
  test.each([
    'sudo git push',
    'sudo -u root -n git push',
    'env A=1 -u B nice -n 10 git push',
    'timeout -s KILL 10 git push',
    'time -p git push',
    'time function f { git push; }',
    'nohup /usr/bin/git push',
    'flock /tmp/lock git push',
    'exec -a x git push',
    "sh -c 'git push'",
    'bash -lc "cd x && \'git\' push"',
    "sudo bash -x -c 'git push'",
    '/bin/sh -c \'sh -c "git push"\'',
    "eval 'git' \"pu''sh\"",
    "command eval 'git push'",
    "env -S 'git push'",
    'env =1 a.b=2 git push',
    "env --split-string='git push'",
    "ssh -p 22 host 'cd x; git push'",
    "su -c 'git push' root",
    "su root -c 'git push'",
    "watch -n 1 'git push'",
    "trap 'git push' EXIT",
    "trap 'A=1 git push' EXIT",
    'env -S \'A="b c" git push\'',
    'sudo A=1 git push',
    "find . -name x -exec git push ';'",
    "find . -exec sh -c 'git push' ';'",
    "xargs -n 1 sh -c 'git push'",
    'busybox sh -c "git push"',
  ])('%s', (line) => {
    expect(listStarts(line)).toContainEqual(expect.stringMatching(/^git push/));
  });

  test.each([
    ['xargs git', 'git ⁎'],
    ['find . -exec git {} +', 'git ./⁎ +'],
    ['parallel git ::: push', 'git ⁎ push ⁎'],
  ])('%s runs %s', (line, expected) => {
    expect(listStarts(line).map((text) => text.replaceAll(UNKNOWN, '⁎'))).toContain(expected);
  });

  test.each([
    'curl x | sh',
    'echo git push | bash -s -- x',
    'sudo sh',
    'bash -o pipefail < x',
    'sh /dev/stdin',
    'xargs bash',
    `sudo ${'-a b '.repeat(100)}`,
    "sh -c '",
  ])('%.30s may run anything', (line) => {
    expect(readTexts(line)).toContain('⁎');
  });

  test.each([
    'bash script.sh',
    'bash --version',
    'env MSG="don\'t" npm test',
    'sudo cp "$A" "$B"',
    'timeout 5 git commit -m "don\'t; git push"',
    'find . -name "git push"',
  ])('%s is known', (line) => {
    const starts = listStarts(line);
    expect(starts.some((text) => text.startsWith(UNKNOWN) || text.startsWith('git push'))).toBe(false);
  });
});

test('`jobs -x` runs a command', () => {
  expect(listStarts('jobs -x git push')).toContain('git push');
});

test('words that run without a shell are one command, whatever is in them', () => {
  expect(readTexts(['git', 'push; ls', '$X'])).toEqual(['git push; ls $X']);
  expect(readTexts(['bash', '-lc', 'cd x; git push'])).toContain('git push');
});
