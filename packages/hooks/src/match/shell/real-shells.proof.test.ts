// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMatcher } from '../matcher.ts';

/**
 * Real shells are the judge: they run lines made of pieces below, with a `git` on their path that leaves a file when it is asked to
 * push. Whenever it was, `Bash(git push:*)` must have matched the line.
 */
const shells = ['/bin/bash', '/bin/sh'].filter((shell) => existsSync(shell));
const tools = ['env', 'nice', 'timeout', 'xargs', 'cat', 'find', 'nohup'];
const guard = compileMatcher('Bash(git push:*)');

let folder = '';
let runs = 0;
let pushes = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'match-shells-'));
  mkdirSync(join(folder, 'work'));
  writeFileSync(join(folder, 'git'), '#!/bin/sh\n[ "$1" = push ] && : > "$PUSHED"\n');
  chmodSync(join(folder, 'git'), 0o755);
  for (const tool of tools) symlinkSync(join('/usr/bin', tool), join(folder, tool));
  for (const shell of shells) symlinkSync(shell, join(folder, shell.slice(5)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pushesIn(shell: string, line: string): boolean {
  const pushed = join(folder, `pushed-${++runs}`);
  const env = { PATH: folder, PUSHED: pushed };
  spawnSync(shell, ['-c', line], { cwd: join(folder, 'work'), env, timeout: 2_000, stdio: 'ignore' });
  return existsSync(pushed);
}

const quoteOnce = (line: string) => `'${line.replaceAll("'", "'\\''")}'`;
const quoteTwice = (line: string) => `"${line.replace(/[\\"$`]/g, '\\$&')}"`;
const inBackticks = (line: string) => `\`${line.replace(/[\\`]/g, '\\$&')}\n\``;

const prefix = fc.constantFrom(
  '',
  '',
  'Z= ',
  'Z=$(true) ',
  '>x ',
  '2>x ',
  '! ',
  'Z="a b" ',
  'a[1]=x ',
  '&>x ',
  '{fd}>x ',
  'time ',
  'env ',
  'env Z=1 ',
  'env -u Z ',
  'nohup ',
  'timeout 2 ',
  'timeout -s 9 2 ',
  'nice -n 1 ',
  'command ',
  'exec ',
  '\\\n',
  'xargs ',
  'eval ',
);
const name = fc.constantFrom(
  'git',
  '"git"',
  "'git'",
  'g\\it',
  "g''it",
  "$'\\x67it'",
  '$Z""git',
  'g\\\nit',
  '${Z}git',
  '`true`git',
  'g{i,}t',
  './../git',
);
const words = fc.constantFrom(
  'push',
  '"push"',
  "pu'sh'",
  'p\\ush',
  "push 'a;b'",
  'push #c',
  'push>x',
  'push<<<x',
  '${Z}push',
  '$Z push',
  '`echo push`',
);
const push = fc.tuple(prefix, name, words).map(([before, git, rest]) => `${before}${git} ${rest}`);

const harmless = fc.constantFrom(
  'true',
  "echo 'a;'",
  'echo a#b',
  "true # don't",
  'echo {a,b}',
  'echo \\"',
  'echo "a\\"b"',
  "echo $'it\\'s'",
  "x='\n'",
  "cat <<E\ndon't\nE\ntrue",
  "cat <<'E'\n\"\nE\ntrue",
  'cat <<-E\n\tx\n\tE\ntrue',
  'cat <<E <<F\n"\nE\n\'\nF\ntrue',
  'echo $((1<<2))',
  '((1<<2))',
  'a[1<<2]=3',
  'echo "$[1+1]"',
  'echo ${X#"}"}',
  'echo "${X:-\'}"',
  'echo $#',
  'case a in a) true;; esac',
  'echo "$(cat <<E\nit\'s )\nE\n)"',
  'echo `echo \\`true\\``',
  'echo $(true # )\n)',
  'cat <(true)',
);

const wrap = fc.constantFrom<(line: string) => string>(
  (line) => `(${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `echo "x $(${line}\n) y"`,
  (line) => `echo ${inBackticks(line)}`,
  (line) => `if true; then ${line}\nfi`,
  (line) => `for i in 1; do ${line}\ndone`,
  (line) => `f() { ${line}\n}; f`,
  (line) => `bash -c ${quoteOnce(line)}`,
  (line) => `sh -c ${quoteTwice(line)}`,
  (line) => `timeout 2 bash -c ${quoteOnce(line)}`,
  (line) => `eval ${quoteOnce(line)}`,
  (line) => `trap ${quoteOnce(line)} EXIT`,
  (line) => `cat <<E8\n$(${line}\n)\nE8\n`,
  (line) => `bash <<'E9'\n${line}\nE9\n`,
  (line) => `case a in a) ${line}\n;; esac`,
  (line) => `echo \${X:-$(${line}\n)}`,
  (line) => `echo $((1 + $(${line}\n)))`,
  (line) => `((${line}\n) )`,
  (line) => `function g { ${line}\n}; g`,
);

const { line } = fc.letrec<{ line: string }>((tie) => ({
  line: fc
    .tuple(
      fc.array(
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true },
          { weight: 2, arbitrary: push },
          { weight: 2, arbitrary: harmless },
          { weight: 1, arbitrary: fc.tuple(wrap, tie('line')).map(([around, inner]) => around(inner)) },
        ),
        { minLength: 1, maxLength: 3 },
      ),
      fc.constantFrom('; ', ' && ', '\n', ' | ', ' || ', ' ;\n'),
    )
    .map(([commands, separator]) => commands.join(separator)),
}));

/** One character less, or one piece of syntax more, makes lines that nobody thought of. */
const damage = fc.tuple(
  fc.nat(),
  fc.option(
    fc.constantFrom('"', "'", '\\', '$(', ')', '(', '`', '{', '}', '#', '\n', '<<E', ';', '&>x ', '!'),
  ),
);
const damagedLine = fc.tuple(line, fc.option(damage)).map(([text, harm]) => {
  if (harm === null) return text;
  const at = harm[0] % (text.length + 1);
  return harm[1] === null
    ? text.slice(0, at) + text.slice(at + 1)
    : text.slice(0, at) + harm[1] + text.slice(at);
});

describe.skipIf(shells.length < 2 || tools.some((tool) => !existsSync(join('/usr/bin', tool))))(
  'real shells',
  () => {
    test('no line that pushes gets past the matcher', { timeout: 60_000 }, () => {
      fc.assert(
        fc.property(damagedLine, fc.constantFrom(...shells), (text, shell) => {
          if (!pushesIn(shell, text)) return;
          pushes++;
          expect(guard.test({ name: 'Bash', input: { command: text } })).toBe(true);
        }),
        { numRuns: 250, seed: 20 },
      );
      expect(pushes).toBeGreaterThan(50);
    });
  },
);
