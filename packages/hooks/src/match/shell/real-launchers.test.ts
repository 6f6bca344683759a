// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMatcher } from '../matcher.ts';
import { plainCommand } from './plain-command.ts';

/**
 * Ways to run a command that somebody hides. Each line is run for real, in bash and in dash, with a `git` that leaves a mark when it is
 * asked to push: whatever pushed must have matched. Lines whose programs are not here, or may not run here, must match all the same.
 */
const lines: readonly string[] = [
  'bash <(echo git push)',
  'sh <(echo git push)',
  'source <(echo git push)',
  '. <(echo git push)',
  'bash < <(echo git push)',
  'sh -s < <(echo git push)',
  'source /dev/stdin <<< "git push"',
  'echo git push | . /dev/stdin',
  'echo git push | source /dev/stdin',
  'echo git push | bash /dev/fd/0',
  'echo git push | bash /proc/self/fd/0',
  'echo git push | sh -',
  'bash <<< "$(echo git push)"',
  'bash <<< git\\ push',
  'X="git push"; bash <<< "$X"',
  'sh <<E\n$(echo git push)\nE',
  'bash <<E >x\ngit push\nE',
  "bash <<'E' -s a\ngit push\nE",
  'echo git push > s; sh < s',
  'echo git push > s; bash -x 0< s',
  'echo git push > s; bash <<< "true" < s',
  "X='-c git\\ push'; bash $X",
  'X=push; bash -c "git $X"',
  'eval -- git push',
  'eval "$(echo git push)"',
  'builtin eval git push',
  'command eval "git push"',
  'time { git push; }',
  'time -p { git push; }',
  'time ! git push',
  '! time git push',
  'time ( git push )',
  'time if true; then git push; fi',
  'coproc { git push; }; wait',
  'coproc git push; wait',
  'coproc X { git push; }; wait',
  'coproc X ( git push ); wait',
  'prlimit git push',
  'prlimit --nofile=100 git push',
  'setpriv git push',
  'setpriv --no-new-privs git push',
  'setarch x86_64 git push',
  'setarch -R git push',
  'setarch x86_64 -- git push',
  'linux64 git push',
  'linux32 git push',
  'i386 git push',
  'echo git push | linux64',
  'echo git push | setarch x86_64',
  'rbash -c "git push"',
  'echo git push | rbash',
  'rbash <(echo git push)',
  "mapfile -C 'git push' -c 1 < /etc/passwd",
  "readarray -c 1 -C 'git push #' x < /etc/passwd",
  "let 'a[$(git push)]=1'",
  "let 'a[`git push`]=1'",
  "declare -i x='a[$(git push)]'",
  "typeset -i x='a[$(git push)]'",
  "export 'a[$(git push)]=1'",
  "test -v 'a[$(git push)]'",
  "[ -v 'a[$(git push)]' ]",
  "[[ -v 'a[$(git push)]' ]]",
  "[[ 'a[$(git push)]' -eq 0 ]]",
  "printf -v 'a[$(git push)]' x",
  "read 'a[$(git push)]' <<< x",
  "unset 'a[$(git push)]'",
  "x='a[$(git push)]'; echo $((x))",
  "x='a[$(git push)]'; ((x))",
  "x='a[$(git push)]'; (( x > 1 )) || true",
  "x='a[$(git push)]' ; let x",
  'x="a[\\$(git push)]"; echo ${y:x}',
  "wait -n -p 'a[$(git push)]'",
  'echo git push | xargs env',
  'echo git push | xargs',
  'echo push | xargs git',
  'echo git push | xargs nice',
  'echo git push | xargs -n 2 timeout 2',
  "echo 'git push' | xargs -I{} sh -c {}",
  "echo 'git push' | xargs -I% sh -c '%'",
  'echo -c \'"git push"\' | xargs sh',
  'nice git push',
  'nice -n 5 git push',
  'ionice -c 3 git push',
  'ionice git push',
  'chrt -o 0 git push',
  'taskset 1 git push',
  'taskset -c 0 git push',
  'stdbuf -o0 git push',
  'unshare git push',
  'echo git push | unshare',
  'echo git push | unshare -r',
  'nsenter -t 1 git push',
  'chroot / git push',
  'echo git push | chroot /',
  'runuser -u root -- git push',
  'runuser -c "git push"',
  'runuser root -c "git push"',
  'su -c "git push"',
  'su root -s /bin/sh -c "git push"',
  'echo git push | su',
  "script -qc 'git push' /dev/null",
  'flock x git push',
  "flock x -c 'git push'",
  'timeout 2 git push',
  'strace -o /dev/null git push',
  'setsid git push',
  'setsid -w git push',
  'nohup git push',
  "find . -maxdepth 0 -exec git push ';'",
  "find . -maxdepth 0 -exec sh -c 'git push' ';'",
  'find . -maxdepth 0 -exec env git push {} +',
  "env -S 'git push'",
  "env -S'git push'",
  'env -i PATH=$PATH git push',
  'env -- git push',
  'env -u X git push',
  'command git push',
  'command -p -- git push',
  'command -- git push',
  'builtin command git push',
  'exec git push',
  'exec -a x git push',
  'exec -c git push',
  "trap 'git push' EXIT",
  "trap -- 'git push' EXIT",
  "trap 'git push' 0",
  "echo $'a\\'; git push #'",
  "echo $'\\'; git push; echo '",
  "echo $'x\\''; git push; echo ''",
  "$'git' push",
  "$'g\\x69t' push",
  "alias p='git push'\np",
  'alias p=git\np push',
  '((git push))',
  '( (git push) )',
  'echo x \r# ; git push',
  'f() { "$@"; }; f git push',
  'f() { eval "$1"; }; f "git push"',
  'f() { $*; }; f git push',
  'function f { git push; }; f',
  'f() (git push); f',
  'for c in "git push"; do $c; done',
  'for c in git; do $c push; done',
  'set -- git push; "$@"',
  'set -- push; git $1',
  'read x <<< "git push"; $x',
  'echo git push | while read x; do $x; done',
  'echo git push | { read x; eval "$x"; }',
  'X=git; ${X} push',
  'X=gitx; ${X%x} push',
  'IFS=,; X=git,push; $X',
  'case a in a) git push;; esac',
  'if git push; then true; fi',
  'until git push; do break; done',
  'while git push; do break; done',
  'true && { git push; }',
  '{ git push; } 2>&1',
  'git push &',
  'git push & wait',
  'true || false && git push',
  '>x git push',
  '2>&1 git push',
  'g""it p""ush',
  '/usr/bin/env git push',
  './../git push',
  'cat <<E | sh\ngit push\nE',
  "cat <<'E' | bash\ngit push\nE",
  'printf "git push\\n" | sh -s',
  'tee >(sh) <<< "git push"; sleep 0.05',
  'echo git push > >(sh); sleep 0.05',
  "PS4='$(git push)'; set -x; true",
  "PS4='$(git push)' bash -xc true",
  'BASH_ENV=<(echo git push) bash -c true',
  "tar cf /dev/null --checkpoint=1 --checkpoint-action=exec='git push' /etc/hostname",
  "tar cf /dev/null --use-compress-program='git push' /etc/hostname",
  "echo x | split --filter='git push'",
  "compgen -C 'git push'",
  'awk \'BEGIN { print "git push" }\' | sh',
  'gdb -nx -batch --args true -ex run; gdb -nx -batch -ex "!git push"',
  'perf stat git push',
  'dash -c "git push"',
  'echo git push | dash',
];

/** Programs that are not on every machine, or do more than run a command. */
const others: readonly string[] = [
  'sudo git push',
  'sudo -u root -- git push',
  'echo git push | sudo -s',
  'echo git push | sudo -u root -i',
  'sudo -s git push',
  'doas git push',
  'doas -u root git push',
  'watch -n 1 git push',
  "watch 'git push'",
  'parallel git ::: push',
  "parallel ::: 'git push'",
  'echo git push | parallel',
  'parallel < x',
  'ltrace -f git push',
  'gdb --args git push',
  "gdb -batch -ex 'shell git push'",
  'busybox sh -c "git push"',
  'busybox env git push',
  'toybox nice git push',
  "git -c alias.x='!git push' x",
  'git -c alias.x=push x',
  "git -c core.pager='git push' log",
  "git -c core.sshCommand='git push' fetch",
  "git -c core.editor='git push' commit",
  "git config alias.x '!git push'",
  "git submodule foreach 'git push'",
  'git submodule foreach git push',
  'git bisect run git push',
  "git rebase --exec 'git push' main",
  "git rebase -x 'git push' main",
  "GIT_SSH_COMMAND='git push' git fetch",
  "export GIT_EDITOR='git push'; git commit",
  "env PAGER='git push' man ls",
  "EDITOR='git push' crontab -e",
  'dbus-run-session git push',
  'dbus-run-session -- git push',
  'systemd-run git push',
  'systemd-run --user --scope git push',
  'echo git push | at now',
  'at now <<< "git push"',
  'batch <<E\ngit push\nE',
  'at -f x now',
  "ssh host 'git push'",
  "ssh -o ProxyCommand='git push' host",
  "rsync -e 'git push' a b",
  "npm exec -c 'git push'",
  "npx -c 'git push'",
  'npm exec -- git push',
  'docker exec box git push',
  "docker run --rm -it image sh -c 'git push'",
  'kubectl exec pod -- git push',
  'ip netns exec x git push',
  'uv run git push',
  'pkexec git push',
  'gosu root git push',
  'fakeroot git push',
  'firejail git push',
  'unbuffer git push',
  'xvfb-run -a git push',
  "vim -c '!git push'",
  "man -P 'git push' ls",
  'zsh -c "git push"',
  'ksh <<< "git push"',
  'fish -c "git push"',
  "csh -c 'git push'",
  'yash -c "git push"',
];

/** Lines of everyday work, none of which pushes. */
const harmless: readonly string[] = [
  'ls -la',
  'git status',
  'git log --oneline -5',
  'git log --grep "git push"',
  'git commit -m "then git push it"',
  "git commit -m $'it\\'s done'",
  'echo "git push"',
  'grep -rn "git push" docs',
  'npm test',
  'npm run build && npm test',
  'npx vitest run a.test.ts',
  'node script.js "$FILE"',
  'python3 -m pytest -q',
  'cat <<E\ngit push\nE',
  "cat > notes <<'E'\ngit push\nE",
  'for f in *.ts; do wc -l "$f"; done',
  'if [ -f x ]; then cat x; fi',
  '[ "$A" = b ] && echo yes',
  'test -n "$(ls)"',
  'X=$(date +%s); echo "$X"',
  'find . -name "*.ts" -exec wc -l {} +',
  'find . -name "*.ts" | xargs wc -l',
  'ls | xargs',
  'ls | xargs rm',
  'git log --oneline | xargs -n1 echo',
  'find . -print0 | xargs -0 rm',
  'ls | xargs -I{} cp {} x',
  'ls | xargs -P 4 -n 1 wc -l',
  'bash script.sh',
  'bash "$DIR/script.sh" --fast',
  'sh ./build.sh < data.txt',
  'sudo apt-get install -y jq',
  'env NODE_ENV=test npm test',
  'timeout 60 npm test',
  'docker run --rm -v "$PWD:/w" image npm test',
  'diff <(sort a) <(sort b)',
  'while read -r line; do echo "$line"; done < file',
  "awk '{ print $1 }' file | sort | uniq -c",
  "sed -i 's/git push/git pull/' README.md",
  'tar czf a.tgz src',
  'source ./env.sh',
  '. "$HOME/.nvm/nvm.sh"',
  'arr=(a b c); echo "${arr[1]}"',
  'declare -i n=1; n+=1; echo $n',
  'let i=i+1',
  'echo $((1 + 2))',
  'make test',
  'ssh host uptime',
  'kubectl get pods',
  'jq -r ".[0]" x.json',
  'curl -s https://example.com -o x',
  'git -c user.name=a commit -m x',
  'git config user.name "A B"',
  'EDITOR=vim git commit',
  'trap "rm -f x" EXIT',
];

/** Those that match all the same: what a person is asked about, or a guard is told, without need. */
const KNOWN_FALSE_ALARMS: readonly string[] = [];

const shells = ['/bin/bash', '/bin/dash'].filter((shell) => existsSync(shell));
const guard = compileMatcher('Bash(git push:*)');
const matches = (command: string) => guard.test({ name: 'Bash', input: { command } });

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'match-launchers-'));
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n[ "$1" = push ] && : > '${folder}/pushed'\nexit 0\n`);
  chmodSync(join(folder, 'git'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pushesIn(shell: string, line: string): boolean {
  const pushed = join(folder, 'pushed');
  const cwd = join(folder, 'work');
  rmSync(pushed, { force: true });
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  const env = { PATH: `${folder}:/usr/bin:/bin:/usr/sbin`, HOME: cwd, USER: 'root' };
  spawnSync(shell, ['-c', line], { cwd, env, timeout: 3_000, stdio: 'ignore', killSignal: 'SIGKILL' });
  return existsSync(pushed);
}

/** What a matcher that allows would take the line for. */
const isGit = (line: string) => /^(?:\.\/\.\.\/)?git push\b/.test(plainCommand(line) ?? 'git push');

test('what may push is allowed as nothing else', () => {
  expect([...lines, ...others].filter((line) => !isGit(line) && line !== 'echo git push | xargs')).toEqual(
    [],
  );
  for (const line of [...lines, ...harmless]) {
    for (const joined of [`ls; ${line}`, `${line}\nls`, `ls && ${line}`, `ls | ${line}`, `ls $(${line})`])
      expect(plainCommand(joined), joined).toBeUndefined();
  }
});

describe.skipIf(shells.length < 2)('real shells', () => {
  test('what pushed had matched', { timeout: 120_000 }, () => {
    const pushed = lines.filter((line) => shells.some((shell) => pushesIn(shell, line)));
    expect(pushed.length).toBeGreaterThan(lines.length * 0.7);
    expect(pushed.filter((line) => !matches(line))).toEqual([]);
  });
});

test('what may push matches, whatever this machine has', () => {
  expect([...lines, ...others].filter((line) => !matches(line))).toEqual(['echo git push | xargs']);
});

test('everyday lines do not match', () => {
  expect(harmless.filter(matches)).toEqual(KNOWN_FALSE_ALARMS);
});
