import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runBench } from '../bench.ts';
import { makeInspectorBench } from './bench.ts';

/** The command as it is built: the proofs build it where it has changed. */
const command = [fileURLToPath(new URL('../../../cli/dist/main.mjs', import.meta.url))];

test('the bench of the inspector measures what a page asks for, on a small file', {
  timeout: 180_000,
}, async () => {
  const bench = makeInspectorBench({ messages: 4_000, command, inBrowser: false, starts: 1 });
  const { figures, ratios, notes } = await runBench(bench);
  expect(ratios.map(({ of }) => of)).toContain('search, whole file, ms | measured');
  expect(ratios.length * 2).toBe(Object.keys(figures).length);
  for (const { of, ratio } of ratios) expect(ratio, of).toBeGreaterThan(0);
  expect(notes).toHaveLength(1);
});
