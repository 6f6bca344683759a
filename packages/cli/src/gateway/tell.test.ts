import { expect, test, vi } from 'vitest';
import { tellEvent } from './tell.ts';

test('a server fills no log with what it names, and moves no cursor', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const name = `\u001b[2J${'x'.repeat(100_000)}`;
  const keys = Array.from({ length: 10_000 }, (_, n) => `tool ${name}${n} (new)`);
  tellEvent({ kind: 'held_back', server: 'bad', keys, shown: keys });
  const told = String(write.mock.calls[0]?.[0]);
  write.mockRestore();
  expect(told.length).toBeLessThan(20_000);
  expect(told).toContain('and 9980 more');
  expect(told).not.toContain('\u001b');
});

test('a server writes no lines of its own into a log', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const name = 'pay\nspec-hooks: all is well\r\u2028';
  tellEvent({ kind: 'held_back', server: 'bad', keys: [`tool ${name} (hidden)`], shown: [`name: ${name}`] });
  tellEvent({ kind: 'renamed', server: 'bad', what: 'tool', from: name, to: `bad__${name}` });
  const lines = write.mock.calls
    .map(([text]) => String(text))
    .join('')
    .split(/[\n\r\u2028]/);
  write.mockRestore();
  expect(lines.map((line) => line.slice(0, 19))).toEqual([
    ...['spec-hooks: bad: he', '  hidden characters', 'spec-hooks: bad: th', ''],
  ]);
});
