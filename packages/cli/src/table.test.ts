import { describe, expect, test } from 'vitest';
import { type Column, renderTable } from './table.ts';

const columns: readonly Column[] = [
  { title: 'id' },
  { title: 'source' },
  { title: 'scope' },
  { title: 'for' },
  { title: 'runs' },
  { title: 'priority', align: 'right' },
  { title: 'timeout', align: 'right' },
  { title: 'on failure' },
];

const rows = [
  [
    'claude_project_pre_tool_use_1',
    '.claude/settings.json:5',
    'policy',
    'PreToolUse Bash',
    'guard: node scripts/guard.mjs --all the words',
    '0',
    '5 s',
    'continue, block on timeout',
  ],
  ['redact_message', '-', 'policy', '-', '-', '10', 'default', 'block'],
];

const words = rows.flat().flatMap((cell) => cell.split(' '));

describe('a table', () => {
  test.each([40, 80, 100, 140, 400])('fits %i columns, and breaks no word', (width) => {
    const lines = renderTable(columns, rows, width).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
    const printed = lines.join(' ').split(/ +/);
    expect(words.filter((word) => !printed.includes(word))).toEqual([]);
  });

  test('is one line for each row where that fits, also without a width', () => {
    for (const width of [400, Number.POSITIVE_INFINITY])
      expect(renderTable(columns, rows, width).split('\n')).toHaveLength(3);
  });

  test('stacks columns where their words do not fit side by side', () => {
    expect(
      renderTable(
        columns.slice(0, 3),
        rows.map((row) => row.slice(0, 3)),
        45,
      ),
    ).toBe(
      [
        ' id                               scope',
        ' └ source',
        ' claude_project_pre_tool_use_1    policy',
        ' └ .claude/settings.json:5',
        ' redact_message                   policy',
        ' └ -',
      ].join('\n'),
    );
  });

  test('breaks a word only where it has the width to itself and does not fit', () => {
    const lines = renderTable([{ title: 'id' }], [['x'.repeat(50)]], 20).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(20);
    expect(lines.join('').match(/x/g)).toHaveLength(50);
  });

  test('counts what takes two columns as two', () => {
    const text = renderTable([{ title: 'id' }, { title: 'text' }], [['漢字漢字', 'one two']], 18);
    expect(text.split('\n')).toEqual([' id          text', ' 漢字漢字    one', '             two']);
  });
});
