// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DefinitionError } from '@spec/hooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compileTemplate, type Template } from './template.ts';

const shells = ['/bin/dash', '/bin/bash'].filter((shell) => existsSync(shell));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'template-values-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Each leaves `PWN` behind where something evaluates it. */
const payloads = [
  'touch PWN',
  'a[$(touch PWN)]',
  '$(touch PWN)',
  'x; touch PWN; #',
  "'; touch PWN; #",
  '"; touch PWN; #',
  '\ntouch PWN\n',
  "'); __import__('os').system('touch PWN')#",
  '"; system("touch PWN"); x="',
  '. -maxdepth 0 -exec touch PWN ;',
];

function compiled(template: string): Template | undefined {
  try {
    return compileTemplate(template);
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return undefined;
  }
}

describe.skipIf(shells.length < 2)('a value that the line evaluates later', () => {
  test.each([
    // as a number
    "V={{input.v}} bash -c '[[ $V -gt 5 ]]'",
    "bash -c '[[ $1 -gt 5 ]]' x {{input.v}}",
    "export V={{input.v}}; bash -c 'echo $((V))'",
    'n={{input.v}}; [[ $n -gt 5 ]]',
    'n={{input.v}}; if [[ $n -gt 5 ]]; then :; fi',
    'n={{input.v}}; [[ -n x && $n -gt 5 ]]',
    'n={{input.v}}; echo $((n+1))',
    'n={{input.v}}; ((n > 5)) && :',
    'n={{input.v}}; echo $[n]',
    'n={{input.v}}; let n++',
    'n={{input.v}}; for ((i=0;i<n;i++)); do :; done',
    'declare -i n; n={{input.v}}',
    'for x in {{input.v}}; do [[ $x -eq 1 ]]; done',
    'read -r x <<< {{input.v}}; [[ $x -eq 1 ]]',
    'echo {{input.v}} | { read x; [[ $x -eq 1 ]]; }',
    'x=$(echo {{input.v}}); [[ $x -eq 1 ]]',
    'f() { [[ $1 -gt 5 ]]; }; f {{input.v}}',
    'n={{input.v}}; [ -v "$n" ]',
    // as an expansion
    'x={{input.v}}; : "${x@P}"',
    'x={{input.v}}; echo "${!x}"',
    'i={{input.v}}; a=(1 2); echo "${a[$i]}"',
    'i={{input.v}}; s=abc; echo "${s:i:1}"',
    'n={{input.v}}; printf -v "$n" x',
    'n={{input.v}}; unset "$n"',
    'n={{input.v}}; declare "$n=1"',
    'for PS4 in {{input.v}}; do set -x; :; done',
    'printf -v PS4 %s {{input.v}}; set -x; :',
    'hash -p {{input.v}} ls; ls',
    // as a command
    'x={{input.v}}; $x',
    'f() { $1; }; f {{input.v}}',
    'set -- {{input.v}}; "$@"',
    'set -- {{input.v}}; $1',
    'for x in {{input.v}}; do $x; done',
    '$(echo {{input.v}})',
    '"$(echo {{input.v}})"',
    'echo {{input.v}} | while read l; do $l; done',
    'v={{input.v}}; find $v',
    'find $(echo {{input.v}})',
    // as code of a shell
    'sh -c \'eval "$1"\' sh {{input.v}}',
    'sh -c \'"$@"\' sh {{input.v}}',
    "sh -c '$1' sh {{input.v}}",
    'sh -c \'sh -c "$1"\' sh {{input.v}}',
    "find . -exec sh -c '$V' \\;; V={{input.v}} true",
    'bash -co posix {{input.v}}',
    'bash -c -o posix {{input.v}}',
    'set -- -c {{input.v}}; sh "$@"',
    'v={{input.v}}; trap "$v" EXIT',
    'v={{input.v}}; . "$v"',
    'v={{input.v}}; alias g="$v"; eval g',
    'alias g=eval\ng {{input.v}}',
    'env "-S{{input.v}}"',
    'v={{input.v}}; env -S "$v"',
    "printf '%s' {{input.v}} | bash /dev/./stdin",
    "printf '%s' {{input.v}} | bash -s",
    'v={{input.v}}; sh <<E\necho $v\nE',
    'cat <\\\n<E\n{{input.v}}\nE',
    'mapfile -tC {{input.v}} -c1 x < /etc/passwd',
    'echo {{input.v}} | xargs find',
    'choom -n 0 -- sh -c {{input.v}}',
    // as code of others
    'printf %s {{input.v}} | make --file=-',
    'printf %s {{input.v}} | make -sf -',
    'printf %s {{input.v}} | make --makefile=/dev/stdin',
    'printf %s {{input.v}} | sed --fil=- /etc/passwd',
    'printf %s {{input.v}} | sed -f /dev//stdin /etc/passwd',
    'printf %s {{input.v}} | python3 /dev/../dev/stdin',
    'printf %s {{input.v}} | python3 -i -c 1',
    'printf %s {{input.v}} | python3 -m code',
    'printf %s {{input.v}} | node -i -e 1',
    'printf %s {{input.v}} | BASH_ENV=/dev/stdin bash -c :',
    'printf %s {{input.v}} | env BASH_ENV=/dev/stdin bash -c :',
    'printf %s {{input.v}} | /lib/ld.so /bin/sh',
    'printf %s {{input.v}} | sed -f - /etc/passwd',
    'printf %s {{input.v}} | sed -n -f- /etc/passwd',
    'printf %s {{input.v}} | sed --file=- /etc/passwd',
    'printf %s {{input.v}} | sed -f /dev/stdin /etc/passwd',
    'printf %s {{input.v}} | awk -f - /etc/passwd',
    'printf %s {{input.v}} | awk -f/dev/stdin /etc/passwd',
    'printf %s {{input.v}} | gawk --file /dev/fd/0 /etc/passwd',
    'printf %s {{input.v}} | gawk -E - /etc/passwd',
    'printf %s {{input.v}} | jq -f /dev/stdin x.json',
    'bash -c \'RANDOM="$1"\' x {{input.v}}',
    'bash -c \'for SECONDS in "$1"; do :; done\' x {{input.v}}',
    'bash -c \'typeset -n r; for r in "$1"; do :; done\' x {{input.v}}',
    'v={{input.v}}; python3 -c "print(\'$v\')"',
    'v={{input.v}}; awk "BEGIN{print \\"$v\\"}"',
    'v={{input.v}}; perl -e "print \'$v\'"',
    'v={{input.v}}; node -e "console.log(\'$v\')"',
    'printf %s {{input.v}} | python3',
    'printf %s {{input.v}} | python3 -',
    'printf %s {{input.v}} | perl',
    'printf %s {{input.v}} | python3 -W ignore',
    "printf %s {{input.v}} | sed 's/x/touch PWN/e'",
    "printf %s {{input.v}} | sed 's/^//e'",
    "printf %s {{input.v}} | sed '1e'",
    'split --filter={{input.v}} /etc/passwd',
    // from a file
    "printf '%s' {{input.v}} > f; sh ./f",
    "printf '%s' {{input.v}} > ./f; sh f",
    "printf '%s' {{input.v}} >| f; sh f",
    "printf '%s' {{input.v}} | tee f; sh f",
    "printf '%s' {{input.v}} | tee f >/dev/null; . ./f",
    "printf '%s' {{input.v}} > f; . ./f",
    "printf '%s' {{input.v}} > f; cp f g; sh g",
    "printf '%s' {{input.v}} > f && chmod +x f && ./f",
    'printf \'%s\' {{input.v}} > "$PWD/f"; sh f',
    "printf '%s' {{input.v}} > f; n=$(cat f); [[ $n -gt 5 ]]",
    "printf '%s' {{input.v}} > f; python3 ./f",
    "printf '#!/bin/sh\\n%s' {{input.v}} > .git/hooks/pre-commit; git commit",
    'sh -c \'echo "$1" > f; sh ./f\' sh {{input.v}}',
  ])('%s is refused, or runs nothing', (template) => {
    const found = compiled(template);
    if (found === undefined) return;
    writeFileSync(join(folder, 'some'), '');
    for (const v of payloads) {
      for (const shell of shells)
        spawnSync(shell, ['-c', found.render({ input: { v } })], {
          cwd: folder,
          env: { PATH: '/usr/bin:/bin' },
          timeout: 10_000,
          stdio: 'ignore',
        });
    }
    expect(readdirSync(folder)).not.toContain('PWN');
  });
});

test.each([
  ["V={{input.n}} bash -c '[[ $V -gt 5 ]]'", '[[ compares numbers'],
  ['n={{input.n}}; echo $((n+1))', 'is on a line that calculates'],
  ["printf '%s' {{input.n}} > f; sh ./f", 'is on a line that writes a file and runs one'],
  ['sh -c \'eval "$1"\' sh {{input.n}}', 'is on a line with eval'],
  ['x={{input.n}}; $x', 'may come back out of a variable or another command'],
  ['v={{input.n}}; find $v', 'becomes several words'],
  ['bash -co posix {{input.n}}', 'is where a shell looks for code'],
  ['env "-S{{input.n}}"', 'is among the options of env'],
])('%s says why', (template, problem) => {
  expect(() => compileTemplate(template)).toThrow(problem);
});

describe('lines that only hand a value over', () => {
  test.each([
    "echo '[AUDIT] Agent running bash: {{input.command}}' >> /var/log/flo-audit.log",
    "cd {{sandbox}} && git add -A && git commit -m 'auto-save after {{toolName}}' 2>/dev/null || true",
    'x={{input.v}}; log "$x"',
    'v={{input.v}}; echo "${v:-none}"',
    'v={{input.v}}; log "${v%.ts}" "${v##*/}" "${v/a/b}" "${#v}"',
    'if [ {{input.n}} -gt 5 ]; then log {{input.n}}; else log few; fi',
    'n={{input.n}}; [ "$n" -gt 5 ] && log "$n"',
    '[[ {{input.path}} == *.py ]] && black -- {{input.path}}',
    'f={{input.path}}; [[ $f == *.py ]] && black -- "$f"',
    'case {{input.path}} in *.ts) prettier --check -- {{input.path}};; *) true;; esac',
    "printf '%s\\n' {{input.v}} | tee -a audit.log",
    "printf '%s\\n' {{input.v}} | grep -q secret && exit 1",
    "printf '%s\\n' {{input.command}} | grep -E 'rm -rf' >&2 && exit 2 || exit 0",
    'name=$(basename {{input.path}}); log "$name"',
    'log "$(basename {{input.path}})" "$(date)"',
    '"$HOME"/bin/check {{input.path}}',
    '$HOME/bin/check {{input.path}}',
    './check.sh {{input.path}} > check.log 2>&1',
    'bash check.sh {{input.path}}',
    'bash -eu -o pipefail check.sh {{input.path}}',
    'sh -c \'printf "%s\\n" "$1" >> audit.log\' sh {{input.v}}',
    'python3 check.py --path {{input.path}}',
    'node "$HOOKS_HOME/check.mjs" -- {{input.path}}',
    "jq -n --arg c {{input.command}} '{command: $c}' >> audit.jsonl",
    'jq -r .toolInput.command "$HOOK_INPUT_FILE" | grep -F -- {{input.v}}',
    'for f in {{input.path}} other; do log "$f"; done',
    'while read -r line; do log "$line" {{input.v}}; done < list.txt',
    'curl -s -d {{input.command}} https://example.com/audit',
    'logger -t agent -- {{toolName}} {{input.command}}',
    "printf '%s\\n' {{input.v}} | sed 's/secret/***/g' >> audit.log",
    "printf '%s\\n' {{input.v}} | sed -e 's/e/f/' -e '/true/d'",
    'npx prettier --check -- {{input.path}}',
    'timeout 5 grep -- {{input.pattern}} file',
    "docker ps --format '{{.Names}}' | grep -F -- {{input.name}}",
    'log {{input.v}} \\\n  --level info',
    'set -e\nmkdir -p logs\necho {{input.v}} >> logs/audit.txt',
    'test -f {{input.path}} || { echo no such file >&2; exit 1; }',
  ])('%s', (command) => {
    expect(compileTemplate(command).variables.length).toBeGreaterThan(0);
  });
});
