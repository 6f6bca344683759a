// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what a shell fills in

/** What a file of a form is written in. */
export type FormLanguage = 'sh' | 'js' | 'mjs' | 'py' | 'pl' | 'awk' | 'sed' | 'make' | 'rb' | 'php';

/** A file that a command reads as code: its language, and what it says where that matters. */
export type FormFile = FormLanguage | readonly [FormLanguage, string] | readonly [string, string, string];

/** A way to run code of a project. */
export interface Form {
  readonly command: string;
  /** The files that it reads, by path. */
  readonly files: Readonly<Record<string, FormFile>>;
  /** Whether the code is in the fingerprint, or told as unseen. */
  readonly way: 'fingerprint' | 'unseen';
  /** Programs that it takes, besides those of every system. */
  readonly needs?: readonly string[];
  readonly args?: readonly string[];
  /** Files that it does not read as they are. */
  readonly others?: Readonly<Record<string, string>>;
  /** Files that are not there when it is trusted, and leave `owned` once they are. */
  readonly arrives?: Readonly<Record<string, string>>;
}

/** What does no harm in a language, and what leaves a file `owned`. */
export const samples: Readonly<Record<FormLanguage, readonly [plain: string, owned: string]>> = {
  sh: [':\n', 'echo >> owned\n'],
  js: ['0;\n', `require('fs').writeFileSync('owned', '');\n`],
  mjs: ['0;\n', `import { writeFileSync } from 'node:fs';\nwriteFileSync('owned', '');\n`],
  py: ['pass\n', `open('owned', 'w').close()\n`],
  pl: ['1;\n', `open(my $f, '>', 'owned'); 1;\n`],
  awk: ['BEGIN { }\n', 'BEGIN { print > "owned" }\n'],
  sed: ['p\n', 'w owned\n'],
  make: ['guard:\n\t@true\n', 'guard:\n\t@touch owned\n'],
  rb: ['0\n', `File.write('owned', '')\n`],
  php: ['<?php 0;\n', `<?php file_put_contents('owned', '');\n`],
};

export const seen = (command: string, files: Form['files'], more: Partial<Form> = {}): Form => ({
  command,
  files,
  way: 'fingerprint',
  ...more,
});
export const unseen = (command: string, files: Form['files'], more: Partial<Form> = {}): Form => ({
  ...seen(command, files, more),
  way: 'unseen',
});
export const needs = (...programs: string[]): Partial<Form> => ({ needs: programs });

const manifest = (script: string): string => JSON.stringify({ scripts: { guard: script } });
const chain = '#!/bin/sh\n. ./lib\n';

export const forms: readonly Form[] = [
  // Words of the shell
  seen('sh guard', { guard: 'sh' }),
  seen('sh "gu"ard', { guard: 'sh' }),
  unseen(`bash -c "sh $'guard'"`, { guard: 'sh' }, needs('bash')),
  seen('sh my\\ guard', { 'my guard': 'sh' }),
  seen('sh "$CLAUDE_PROJECT_DIR"/.claude/g.sh', { '.claude/g.sh': 'sh' }),
  seen('sh "${CLAUDE_PROJECT_DIR:-.}/.claude/g.sh"', { '.claude/g.sh': 'sh' }),
  seen('sh "${CLAUDE_PROJECT_DIR:-$(pwd)}/.claude/g.sh"', { '.claude/g.sh': 'sh' }),
  seen('sh "${CLAUDE_PROJECT_DIR:-$PWD}/.claude/g.sh"', { '.claude/g.sh': 'sh' }),
  seen('sh "${CLAUDE_PLUGIN_ROOT:-.}/g.sh"', { 'g.sh': 'sh' }),
  seen('D="${CLAUDE_PROJECT_DIR:-.}"; sh "$D/guard"', { guard: 'sh' }),
  seen('sh "$PWD/guard"', { guard: 'sh' }),
  seen('sh "$(pwd)/guard"', { guard: 'sh' }),
  seen('sh `pwd`/guard', { guard: 'sh' }),
  unseen(`bash -c 'sh ~+/guard'`, { guard: 'sh' }, needs('bash')),
  seen('sh ~/guard', { 'home/guard': 'sh' }),
  seen('S=guard; sh $S', { guard: 'sh' }),
  unseen('S=guard; [ -e x ] || S=other; sh $S', { other: 'sh' }),
  unseen('sh "$(echo guard)"', { guard: 'sh' }),
  unseen(`bash -c 'sh ./{guard,}'`, { guard: 'sh' }, needs('bash')),
  seen('for f in hooks.d/*; do sh "$f"; done', { 'hooks.d/a': 'sh', 'hooks.d/b': 'sh' }),
  unseen('for f in a b; do sh "$f"; done', { a: 'sh', b: 'sh' }),
  seen('sh hooks.d/*.sh', { 'hooks.d/a.sh': 'sh' }),
  seen('cd tools && sh ./check', { 'tools/check': ['', ':\n', 'echo >> ../owned\n'] }),
  seen('cd tools && ./y', { 'tools/y': ['', '#!/bin/sh\n', '#!/bin/sh\necho >> ../owned\n'] }),
  unseen('cd "$(echo tools)" && sh ./y', { 'tools/y': ['', ':\n', 'echo >> ../owned\n'] }),
  seen('cd -P -- tools && sh ./check', { 'tools/check': ['', ':\n', 'echo >> ../owned\n'] }),
  seen(
    '. ./lib; sh y',
    { 'tools/y': ['', ':\n', 'echo >> ../owned\n'] },
    { others: { lib: '. ./enter', enter: 'cd tools' } },
  ),
  unseen(
    '. ./lib; sh y',
    { 'tools/y': ['', ':\n', 'echo >> ../owned\n'] },
    { others: { lib: 'cd "$(echo tools)"' } },
  ),
  seen('if true; then sh guard; fi', { guard: 'sh' }),
  seen('f() { sh guard; }; f', { guard: 'sh' }),
  unseen('f() { sh "$1"; }; f guard', { guard: 'sh' }),
  seen('(sh guard) | cat; true', { guard: 'sh' }),
  seen('x=$(sh guard)', { guard: 'sh' }),
  // What shells are given
  seen('sh -eu guard', { guard: 'sh' }),
  seen('bash -o pipefail guard', { guard: 'sh' }, needs('bash')),
  seen('dash guard', { guard: 'sh' }, needs('dash')),
  seen('zsh guard', { guard: 'sh', 'home/.zshenv': 'sh' }, needs('zsh')),
  seen('. ./lib', { lib: 'sh' }),
  seen('bash -c "source ./lib"', { lib: 'sh' }, needs('bash')),
  seen(`sh -c 'sh -c "sh guard"'`, { guard: 'sh' }),
  seen('eval "sh guard"', { guard: 'sh' }),
  unseen('eval "$(cat guard)"', { guard: 'sh' }),
  unseen('sh -c "$(cat guard)"', { guard: 'sh' }),
  unseen('sh < guard', { guard: 'sh' }),
  unseen('cat guard | sh', { guard: 'sh' }),
  unseen(`bash -c 'bash <(cat guard)'`, { guard: 'sh' }, needs('bash')),
  seen('sh <<E\nsh guard\nE', { guard: 'sh' }),
  unseen('BASH_ENV=./envs bash -c :', { envs: 'sh' }, needs('bash')),
  unseen('export BASH_ENV=./envs; bash -c :', { envs: 'sh' }, needs('bash')),
  unseen('bash -l', { 'home/.bash_profile': 'sh' }, needs('bash')),
  unseen('bash --rcfile ./rc -i -c :', { rc: 'sh' }, needs('bash')),
  unseen('PATH=.:$PATH guard', { guard: ['', '#!/bin/sh\n', '#!/bin/sh\necho >> owned\n'] }),
  // What starts other programs
  seen('env A=1 sh guard', { guard: 'sh' }),
  seen('env -S "sh guard"', { guard: 'sh' }),
  seen('nohup sh guard', { guard: 'sh' }),
  seen('timeout 5 sh guard', { guard: 'sh' }),
  seen('exec sh guard', { guard: 'sh' }),
  seen('command sh guard', { guard: 'sh' }),
  seen('sudo -n sh guard', { guard: 'sh' }, needs('sudo')),
  seen('nice -n 1 sh guard', { guard: 'sh' }),
  unseen('echo guard | xargs sh', { guard: 'sh' }),
  seen('echo x | xargs sh guard', { guard: 'sh' }),
  unseen('find . -name guard -exec sh {} \\;', { guard: 'sh' }),
  seen('find . -name run -exec ./run {} \\;', { run: ['', '#!/bin/sh\n', '#!/bin/sh\necho >> owned\n'] }),
  unseen(
    'run-parts hooks.d',
    { 'hooks.d/a': ['', '#!/bin/sh\n', '#!/bin/sh\necho >> owned\n'] },
    needs('run-parts'),
  ),
  unseen('make guard', { Makefile: 'make' }, needs('make')),
  unseen('make -f rules.mk', { 'rules.mk': 'make' }, needs('make')),
  unseen('npm run guard', { 'package.json': ['', manifest(':'), manifest('echo >> owned')] }, needs('npm')),
  unseen(
    'npx guard',
    { 'node_modules/.bin/guard': ['', '#!/bin/sh\n', '#!/bin/sh\necho >> owned\n'] },
    needs('npx'),
  ),
  unseen('pnpm run guard', { 'package.json': ['', manifest(':'), manifest('echo >> owned')] }, needs('pnpm')),
  unseen('yarn run guard', { 'package.json': ['', manifest(':'), manifest('echo >> owned')] }, needs('yarn')),
  // Files that begin with what reads them
  seen('./guard', { guard: ['', '#!/bin/sh\n', '#!/bin/sh\necho >> owned\n'] }),
  seen('./guard', { guard: ['', ':\n', 'echo >> owned\n'] }),
  seen('./guard', { guard: ['', '#!/usr/bin/env -S node\n', `#!/usr/bin/env -S node\n${samples.js[1]}`] }),
  seen('./guard', { guard: ['', chain, `#!/bin/sh\n${samples.sh[1]}`], lib: 'sh' }),
  unseen(
    './guard',
    {
      guard: ['', '#!/usr/bin/env -S make -f\nall:\n', '#!/usr/bin/env -S make -f\nall:\n\t@touch owned\n'],
    },
    needs('make'),
  ),
  seen('sh a', { a: ['sh', 'sh b\n'], b: ['sh', '. ./c\n'], c: 'sh' }),
  seen('sh lib/a', { 'lib/a': ['sh', '. "$(dirname "$0")/b"\n'], 'lib/b': 'sh' }),
  seen(
    'bash lib/a',
    { 'lib/a': ['sh', 'D="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"\n. "$D/b"\n'], 'lib/b': 'sh' },
    needs('bash'),
  ),
  unseen('D=tools; . ./lib; sh "$D/a"', { lib: ['sh', 'D=other\n'], 'other/a': 'sh' }),
  seen('D=tools; . ./lib; sh "$D/a"', { lib: 'sh', 'tools/a': 'sh' }),
  unseen('sh a', { a: ['sh', 'eval "$(cat b)"\n'], b: 'sh' }),
  // JavaScript
  seen('node guard.js', { 'guard.js': 'js' }),
  seen('node ./hooks/guard', { 'hooks/guard.js': 'js' }),
  seen('node ./hooks/guard', { 'hooks/guard/index.js': 'js' }),
  seen(
    'node ./hooks',
    { 'hooks/package.json': ['', '{"main":"a"}', '{"main":"o"}'], 'hooks/a.js': 'js' },
    { others: { 'hooks/o.js': samples.js[1] } },
  ),
  seen('node -r ./pre -e 0', { 'pre.js': 'js' }),
  seen('node --require=./pre.js guard.js', { 'pre.js': 'js', 'guard.js': 'js' }),
  seen('node --import ./pre.mjs guard.js', { 'pre.mjs': 'mjs', 'guard.js': 'js' }),
  seen(`node -e 'require("./check")'`, { 'check.js': 'js' }),
  unseen(`node -e 'require("./" + "check")'`, { 'check.js': 'js' }),
  unseen('node < guard', { guard: 'js' }),
  unseen('NODE_OPTIONS="-r ./pre.js" node -e 0', { 'pre.js': 'js' }),
  seen('node guard.mjs', {
    'guard.mjs': ['mjs', `import './a.mjs';\n`],
    'a.mjs': ['mjs', `export * from './b.mjs';\n`],
    'b.mjs': 'mjs',
  }),
  seen('node guard.js', { 'guard.js': ['js', `require('./lib');\n`], 'lib/index.js': 'js' }),
  unseen('node guard.js', { 'guard.js': ['js', `require('thing');\n`], 'node_modules/thing/index.js': 'js' }),
  unseen('node guard.js', {
    'guard.js': ['js', `require('child_process').execSync('sh other');\n`],
    other: 'sh',
  }),
  seen('tsx guard.ts', { 'guard.ts': 'js' }, needs('tsx')),
  seen(
    'bun guard.ts',
    { 'guard.ts': 'js', 'bunfig.toml': ['', '', 'preload = ["./owned.ts"]'] },
    needs('bun'),
  ),
  seen('deno run -A guard.ts', { 'guard.ts': 'mjs' }, needs('deno')),
  unseen('bun run guard', { 'package.json': ['', manifest(':'), manifest('echo >> owned')] }, needs('bun')),
  // Python
  seen('python3 guard', { guard: 'py' }, needs('python3')),
  seen('python3 -W ignore guard', { guard: 'py' }, needs('python3')),
  seen('python3 tools', { 'tools/__main__.py': 'py' }, needs('python3')),
  unseen('python3 -m guard', { 'guard.py': 'py' }, needs('python3')),
  unseen('python3 -mguard', { 'guard.py': 'py' }, needs('python3')),
  unseen('python3 -Bm guard', { 'guard.py': 'py' }, needs('python3')),
  unseen(`python3 -c 'import guard'`, { 'guard.py': 'py' }, needs('python3')),
  unseen('python3 a.py', { 'a.py': ['py', 'import json, b\n'], 'b.py': 'py' }, needs('python3')),
  unseen('python3 - < guard', { guard: 'py' }, needs('python3')),
  seen("python3 - <<'E'\nimport json\nE", {}, needs('python3')),
  unseen('PYTHONPATH=lib python3 -c "import guard"', { 'lib/guard.py': 'py' }, needs('python3')),
  // Other languages
  seen('perl guard', { guard: 'pl' }, needs('perl')),
  unseen('perl -I lib guard', { guard: 'pl' }, needs('perl')),
  unseen(`perl -e 'require "./guard"'`, { guard: 'pl' }, needs('perl')),
  seen('awk -fguard /dev/null', { guard: 'awk' }),
  seen('awk -f guard /dev/null', { guard: 'awk' }),
  unseen(`awk 'BEGIN { system("sh guard") }'`, { guard: 'sh' }),
  unseen('awk -f - < guard', { guard: 'awk' }),
  unseen('sed -f /dev/stdin /etc/passwd < guard', { guard: 'sed' }),
  unseen('exec 3< guard; awk -f /dev/fd/3', { guard: 'awk' }),
  seen('echo x | sed -n -f guard', { guard: 'sed' }),
  unseen(`echo x | sed '1e sh guard'`, { guard: 'sh' }),
  unseen('ruby guard', { guard: 'rb' }, needs('ruby')),
  unseen('php guard', { guard: 'php' }, needs('php')),
  // Without a shell
  seen('sh', { guard: 'sh' }, { args: ['${CLAUDE_PROJECT_DIR}/guard'] }),
  seen('env', { guard: 'sh' }, { args: ['A=b c', 'sh', '${CLAUDE_PROJECT_DIR}/guard'] }),
  // What a line sets, calculates and compares
  unseen("bash -c -o posix '. ./lib'", { lib: 'sh' }, needs('bash')),
  unseen('bash g.sh', { 'g.sh': ['sh', 'if [[ 1 ]] then . ./lib; fi\n'], lib: 'sh' }, needs('bash')),
  unseen('set -- 1; for i do . ./lib; done', { lib: 'sh' }),
  unseen(`bash -c 'x=$(cat lib); : "\${x@P}"'`, { lib: ['', 'a\n', '$(echo >> owned)\n'] }, needs('bash')),
  unseen('bash g.sh', {
    'g.sh': ['sh', '[[ $(cat lib) -gt 3 ]]\n'],
    lib: ['', '1\n', 'a[$(echo >> owned)]\n'],
  }),
  unseen(
    `export $(grep -v "^#" .env | xargs); bash g.sh`,
    { '.env': ['', 'A=1\n', 'BASH_ENV=./other\n'], 'g.sh': 'sh' },
    { ...needs('bash'), others: { other: samples.sh[1] } },
  ),
  unseen(
    'read PATH < p; guard',
    { p: ['', '/bin\n', '.\n'] },
    { others: { guard: `#!/bin/sh\n${samples.sh[1]}` } },
  ),
  unseen('env --chdir=b sh lib', { 'b/lib': ['', ':\n', 'echo >> ../owned\n'] }),
  unseen('find b -name lib -execdir sh lib \\;', { 'b/lib': ['', ':\n', 'echo >> ../owned\n'] }),
  // What scripts run in other spellings
  unseen('node g.mjs', { 'g.mjs': ['mjs', `import/**/'./lib.mjs'\n`], 'lib.mjs': 'mjs' }),
  unseen('node g.cjs', {
    'g.cjs': ['js', `process.mainModule.constructor._load('./lib');\n`],
    lib: 'js',
  }),
  unseen('node g.cjs', {
    'g.cjs': [
      'js',
      `(()=>{}).constructor('require', require('fs').readFileSync('lib.js', 'utf8'))(require);\n`,
    ],
    'lib.js': 'js',
  }),
  unseen('python3 g.py', { 'g.py': ['py', `e=exec\ne(open('lib').read())\n`], lib: 'py' }, needs('python3')),
  unseen(
    'python3 g.py',
    { 'g.py': ['py', `import builtins\nbuiltins.exec(open('lib').read())\n`], lib: 'py' },
    needs('python3'),
  ),
  unseen(
    'python3 g.py',
    {
      'g.py': ['py', `import os\nos.waitpid(os.posix_spawn('/bin/sh', ['sh', 'lib'], os.environ), 0)\n`],
      lib: 'sh',
    },
    needs('python3'),
  ),
  unseen('python3 g.py', { 'g.py': ['py', 'if 1:import lib\n'], 'lib.py': 'py' }, needs('python3')),
  unseen(
    'python3 g.py',
    { 'g.py': ['py', 'import unittest\nunittest.main("lib")\n'], 'lib.py': 'py' },
    needs('python3'),
  ),
  unseen('python3 /proc/self/cwd/guard', { guard: 'py' }, needs('python3')),
  unseen('node g.mjs', { 'g.mjs': ['mjs', `import '/proc/self/cwd/lib.mjs';\n`], 'lib.mjs': 'mjs' }),
  unseen('node g.cjs', { 'g.cjs': ['js', `arguments[1]('./lib');\n`], 'lib.js': 'js' }),
  unseen(`echo x | sed 's|.*|sh lib|e'`, { lib: 'sh' }),
  unseen(`echo x | sed -n '/x/Ie sh lib'`, { lib: 'sh' }),
  seen(`echo x | sed -n -e 's/a/b/g;s|x|y|p' -f guard`, { guard: 'sed' }),
  unseen(`perl -e 'print readpipe("sh lib")'`, { lib: 'sh' }, needs('perl')),
  unseen(`perl -ne 's/(.*)/$1/ee' lib`, { lib: ['', '1\n', 'system("echo >> owned")\n'] }, needs('perl')),
];
