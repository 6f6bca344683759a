// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell lines
import { describe, expect, test } from 'vitest';
import { readShellLine, type ShellStep } from './shell-line.ts';

/** The spans of a line, outer ones first, each as its kind and its text. */
function listSpans(line: string): (readonly [string, string])[] {
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
    expect(listSpans(line)).toEqual(spans);
  });

  test('what is inside backticks has no places of its own', () => {
    expect(listSpans('a `b "c"`')).toEqual([['backticks', 'b "c"`']]);
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

/** The steps of a line with the operators around them, and what stands inside of each. */
const describeSteps = (steps: readonly ShellStep[] = []): unknown[] =>
  steps.map(({ before, words, after, inside }) => [before, words.join(' '), after, ...describeSteps(inside)]);

describe('the steps of a line', () => {
  test.each<[string, unknown[]]>([
    [
      'a && b || c; d | e |& f & g',
      [
        ['', 'a', '&&'],
        ['&&', 'b', '||'],
        ['||', 'c', ';'],
        [';', 'd', '|'],
        ['|', 'e', '|&'],
        ['|&', 'f', '&'],
        ['&', 'g', ''],
      ],
    ],
    [
      '\na &&\n\n b\nc',
      [
        ['', 'a', '&&'],
        ['&&', 'b', '\n'],
        ['\n', 'c', ''],
      ],
    ],
    [
      '(a;\n b) | c',
      [
        ['(', 'a', ';'],
        [';', 'b', ')'],
        ['|', 'c', ''],
      ],
    ],
    ['a $(b; c `d`)', [['', 'a \uFFFF', '', ['(', 'b', ';'], [';', 'c \uFFFF', ')', ['', 'd', '']]]]],
    [
      'a <<E <(b)\n$(c)\nE\nd',
      [
        ['', 'a /dev/fd/\uFFFF', '\n', ['(', 'b', ')'], ['(', 'c', ')']],
        ['\n', 'd', ''],
      ],
    ],
    ['> $(a)', [['', '', '', ['(', 'a', ')']]]],
    [
      'case a in b) c;; esac',
      [
        ['', 'case a in b', ')'],
        [')', 'c', ';;'],
        [';;', 'esac', ''],
      ],
    ],
  ])('%j', (line, shape) => {
    expect(describeSteps(readShellLine(line)?.steps)).toEqual(shape);
  });

  test.each<[string, string[]]>([
    ['[[ a ]] && b', ['command', 'command']],
    ['[[ a && b ]] && c', ['command', 'test', 'command']],
    ['[[ a =~ (b|c)$ ]]; d', ['command', 'test', 'test', 'test', 'command']],
    ['[[ a; b ]]', ['command', 'command']],
    ['[[ a && b', ['command', 'command']],
    ['case a in b) c;; d|e) f;; esac', ['command', 'command', 'pattern', 'pattern', 'command', 'command']],
    ['case a in b|c) d;; esac', ['command', 'pattern', 'command', 'command']],
    [
      'case a in\nb|c) d;;\ne) f\nesac',
      ['command', 'pattern', 'pattern', 'command', 'pattern', 'command', 'command'],
    ],
    [
      'case a in (b|c) d;; (e) f;; esac',
      ['command', 'pattern', 'pattern', 'command', 'pattern', 'command', 'command'],
    ],
    ['case a in b) c;; d) (e|f);; esac', ['command', 'command', 'pattern', 'command', 'command', 'command']],
    ["'case' a in\nb | c", ['command', 'command', 'command']],
    ["'case' a in\n(b | c)", ['command', 'command', 'command']],
  ])('%j: which are commands', (line, roles) => {
    expect(readShellLine(line)?.steps.map(({ role }) => role)).toEqual(roles);
  });

  test('begin where they stand, those of backticks and here-documents where these do', () => {
    const line = 'a; b $(c) `d; e`';
    const steps = readShellLine(line)?.steps.flatMap((step) => [step, ...step.inside]);
    expect(steps?.map(({ words, start }) => [words[0], start])).toEqual([
      ['a', 0],
      ['b', 2],
      ['c', line.indexOf('c')],
      ['d', line.indexOf('d')],
      ['e', line.indexOf('d')],
    ]);
  });

  test('know where they read from and write to', () => {
    const [step] = readShellLine(`a < b 2>&1 >>"c d" 3<>f <<<g <<'E' &>e\nE\n`)?.steps ?? [];
    expect(step?.redirections).toEqual([
      { descriptor: '', operator: '<', target: 'b' },
      { descriptor: '2', operator: '>&', target: '1' },
      { descriptor: '', operator: '>>', target: 'c d' },
      { descriptor: '3', operator: '<>', target: 'f' },
      { descriptor: '', operator: '<<<', target: 'g' },
      { descriptor: '', operator: '<<', target: 'E' },
      { descriptor: '', operator: '&>', target: 'e' },
    ]);
  });
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
