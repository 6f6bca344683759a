// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import { describe, expect, test } from 'vitest';
import { compileMatcher } from '../matcher.ts';

const push = compileMatcher('Bash(git push:*)');
const matches = (command: string) => push.test({ name: 'Bash', input: { command } });

describe('a name of which the shell knows a part may be that of a launcher', () => {
  test.each([
    'e$@val git push',
    'x=v; e${x}al git push',
    "al$@ias x='git push'\\nx",
    "te$@st -v 'a[$(git push)]'",
    'su`:`do git push',
    'ba$(:)sh -c "git push"',
    'echo git push | ba$@sh',
    'ev{a,}l git push',
    '/usr/bin/en[v] git push',
    '/usr/bin/!(xx) push',
    '@(/usr/bin/git) push',
    'py${x}on3 -c "import os"',
    '.$@ <(echo git push)',
    'echo push | xargs -I% e%v git push',
    'docker ex$@ec c git push',
    'git submodule for$@each "git push"',
    'env PA$@GER="git push" man x',
  ])('%s', (line) => {
    expect(matches(line)).toBe(true);
  });
});

describe('an option of which the shell knows a part may be one that runs something', () => {
  test.each([
    'bash -$@c "git push"',
    'x=c; bash -$x "git push"',
    'find . -ex$@ec git push \\;',
    'find . -$x git push \\;',
    'x=c; git -$x alias.p=push p',
    "split --`:`filter='git push'",
    'sort --compress$@-program="git push"',
    'tar -cf x --checkpoint-ac${y}on=exec="git push" x',
  ])('%s', (line) => {
    expect(matches(line)).toBe(true);
  });
});

test.each([
  'ls $DIR/x *.ts',
  'npm-$x run a',
  'find . -mtime -$N -name x',
  'gcc -I$D/include -l$x a.c',
  'docker run -v foo-$x:/work img ls',
  'echo "--$x--"',
  'if !(grep -q a b); then echo c; fi',
  '[[ $x == @(a|b) ]] && echo c',
  'git log -$N',
])('%s is no push', (line) => {
  expect(matches(line)).toBe(false);
});
