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
