// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import { describe, expect, test } from 'vitest';
import { readShellLine } from './shell-line.ts';

/** The spans of a line, outer ones first, each as its kind and its text. */
function spansOf(line: string): (readonly [string, string])[] {
  return (readShellLine(line)?.spans ?? [])
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .map(({ kind, start, end }) => [kind, line.slice(start, end)]);
}

describe('where things stand on a line', () => {
  test.each<[string, (readonly [string, string])[]]>([
    ['a b', []],
    ["a 'b c' d", [['single', "b c'"]]],
    ['a "b c"', [['double', 'b c"']]],
    ["a $'b\\'c'", [['ansi', "b\\'c'"]]],
    ['a # b\nc', [['comment', '# b']]],
    ['a#b', []],
    ['a `b c` d', [['backticks', 'b c`']]],
    ['a $(b) c', [['substitution', 'b)']]],
    [
      'a "$(b \'c\')"',
      [
        ['double', "$(b 'c')\""],
        ['substitution', "b 'c')"],
        ['single', "c'"],
      ],
    ],
    ['a ${b:-c}', [['parameter', 'b:-c}']]],
    [
      'a $((1+1))',
      [
        ['arithmetic', '(1+1))'],
        ['substitution', '(1+1))'],
      ],
    ],
    ['((1+1))', [['arithmetic', '(1+1))']]],
    ['a $[1+1] b', [['arithmetic', '1+1] b']]],
    [
      'a > "b c" d',
      [
        ['redirection', '"b c"'],
        ['double', 'b c"'],
      ],
    ],
    [
      "a <<E b\nc \"d\nE\ne 'f'",
      [
        ['here-document', 'c "d\nE\n'],
        ['single', "f'"],
      ],
    ],
    ['a <(b)', [['substitution', 'b)']]],
  ])('%j', (line, spans) => {
    expect(spansOf(line)).toEqual(spans);
  });

  test('what is inside backticks has no places of its own', () => {
    expect(spansOf('a `b "c"`')).toEqual([['backticks', 'b "c"`']]);
  });

  test('a line that cannot be read for certain has none', () => {
    expect(readShellLine('a "b')).toBeUndefined();
  });
});

test('the commands of a line, with what they run', () => {
  expect(readShellLine("A=1 env B=2 git 'push x' > y; eval z")?.commands).toEqual([
    {
      words: ['A=1', 'env', 'B=2', 'git', 'push x'],
      scripts: [],
      prefix: 1,
      runs: { starts: [0, 2], lines: [], runsUnknown: false },
    },
    { words: ['eval', 'z'], scripts: [], prefix: 0, runs: { starts: [0], lines: ['z'], runsUnknown: false } },
  ]);
});

describe('what stands for expansions', () => {
  const known: Record<string, string> = {
    $A: 'a',
    '${B:-x}': 'b c',
    '$(pwd)': '/here',
    '`pwd`': '/here',
    '~': '/home',
    '*': '<any>',
  };
  const wordsOf = (line: string): unknown =>
    readShellLine(line, (source) => known[source])?.commands.at(-1)?.words;

  test.each<[string, string[]]>([
    ['x $A/$A.sh "$A" \'$A\'', ['x', 'a/a.sh', 'a', '$A']],
    ['x "${B:-x}" ${C:-x}', ['x', 'b c', '\uFFFF']],
    ['x ~/y a~ "~" ~+/y', ['x', '/home/y', 'a~', '~', '\uFFFF/y']],
    ['A=~ x', ['A=/home', 'x']],
    ['x *.sh "*" \\* ?', ['x', '<any>.sh', '*', '*', '\uFFFF']],
    ['x {$A,b}', ['x', '\uFFFF']],
  ])('%s', (line, words) => {
    expect(wordsOf(line)).toEqual(words);
  });

  test('of commands inside too', () => {
    const commands = readShellLine('x "$(pwd)/y" `pwd`', (source) => known[source])?.commands;
    expect(commands?.map(({ words }) => words)).toEqual([['pwd'], ['pwd'], ['x', '/here/y', '/here']]);
  });

  test('nothing is known unless it is said', () => {
    expect(readShellLine('x ~/y $A')?.commands[0]?.words).toEqual(['x', '~/y', '\uFFFF']);
  });
});
