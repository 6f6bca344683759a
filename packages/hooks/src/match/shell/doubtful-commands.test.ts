// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import { anyCharacter } from '@spec/test-helpers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTexts } from '../../../test/shell-texts.ts';
import { simpleCommands } from './simple-commands.ts';

/** Microseconds of CPU, many times what is needed: what multiplies takes minutes. */
const ENOUGH = 5_000_000;

describe('what cannot be read for certain may be any command', () => {
  test.each([
    "echo 'a",
    'echo "a',
    'echo `a',
    'echo $(a',
    'echo ${a',
    "echo $'a",
    '(a',
    '$(case x in y) git push;; esac)',
    '((git push); (ls))',
    'a[)1]=x git push',
    'a[b[1];]=x git push',
    `${'$('.repeat(100)}a${')'.repeat(100)}`,
    `echo ${'${x:-'.repeat(20_000)}`,
    `echo "${'${x:-"'.repeat(20_000)}`,
    `${'eval '.repeat(40)}git push`,
    'echo ${ git push; }',
    'echo "${| git push; }"',
    'shopt -s extglob\n!(x) push',
    "time printf -v 'a[$(git push)]' x",
    "coproc declare -a 'a=($(git push))'",
    "xargs -I '' git x",
    'xargs -I "$X" sh -c x',
    `xargs ${'-I a -I b -I c -I d -I e -I f -I g -I h '}git x`,
  ])('%.40s', (line) => {
    expect(readTexts(line)).toContain('⁎');
  });

  test.each([
    ['commands', 'a;'.repeat(10_000)],
    ['places for commands', `a ${')'.repeat(10_000)}`],
    ['substitutions', `echo ${'$(a) '.repeat(10_000)}`],
    ['options of an editor', `vim ${'-C a '.repeat(16_000)}`],
    ['options of an editor, more than a function takes at once', `vim ${'-C a '.repeat(60_000)}`],
    ['settings', `git ${'-c a=b '.repeat(60_000)}`],
    ['lines of env', `env ${'-S a '.repeat(60_000)}`],
  ])('more %s than anybody writes', (_, line) => {
    expect(readTexts(line)).toContain('⁎');
  });

  test('any text is read without an error, and quickly', () => {
    const piece = fc.constantFrom(
      'git',
      ' ',
      '"',
      "'",
      '\\',
      '$(',
      ')',
      '(',
      '`',
      '{',
      '}',
      ';',
      '\n',
      '<<E',
      '\nE\n',
      '$((',
      '))',
      '&>',
      '#',
      "$'",
      '[',
      '*',
    );
    const line = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(line, (text) => {
        for (const command of simpleCommands(text)) {
          expect(command.starts.every((start) => start >= 0 && start <= command.text.length)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('lines within lines do not multiply', () => {
    const started = process.cpuUsage();
    expect(readTexts('sudo -a eval '.repeat(28))).toContain('⁎');
    expect(process.cpuUsage(started).user).toBeLessThan(ENOUGH);
  });

  test.each([
    ['words', 'sudo '.repeat(20_000)],
    ['quotes', `echo ${'"a" '.repeat(20_000)}`],
    ['substitutions', '$('.repeat(50_000)],
    ['backticks', '`'.repeat(100_000)],
    ['escaped quotes', `${'bash -c "'.repeat(10_000)}`],
    ['ambiguous redirections', 'a &>x '.repeat(15_000)],
    ['options of a wrapper', `sudo ${'-a b '.repeat(20_000)}`],
    ['evals', `sudo ${'-a eval '.repeat(12_000)}`],
    ['here-documents', '<<A\n'.repeat(25_000)],
    ['braces', '{a,'.repeat(30_000)],
    ['parentheses', '('.repeat(100_000)],
    ['arithmetic', '$(('.repeat(30_000)],
    ['commands', 'a;'.repeat(50_000)],
    ['empty texts that are replaced', `xargs ${"-I '' ".repeat(15_000)}a`],
    [
      'texts that are replaced',
      `xargs ${Array.from({ length: 6_000 }, (_, i) => `-Ia${i}`).join(' ')}${' b'.repeat(20_000)}`,
    ],
  ])('a line of 100,000 characters full of %s takes no more than a moment', (_, line) => {
    const started = process.cpuUsage();
    simpleCommands(line);
    expect(process.cpuUsage(started).user).toBeLessThan(ENOUGH);
  });
});

test.each([
  'y=\';git push\'; eval "ls $y"',
  'eval ls "$y"',
  'eval "echo $(cat names)"',
  'bash -c "ls $y"',
  `sh -c "ls '$y'"`,
  'trap "ls $y" EXIT',
  'bash <<< "ls $y"',
  'sudo bash -ec "ls $y"',
])('what is expanded before a shell reads it may be any command: %s', (line) => {
  expect(readTexts(line)).toContain('⁎');
});

test.each(["bash -c 'ls $y'", `sh -c 'ls "$1"' sh "$y"`, "eval 'ls $y'", 'trap \'rm "$x"\' EXIT'])(
  'what a shell expands only when it runs the line is no code: %s',
  (line) => {
    expect(readTexts(line)).not.toContain('⁎');
  },
);
