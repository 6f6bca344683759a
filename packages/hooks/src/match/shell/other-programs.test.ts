import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { bundleProgram } from '@spec/test-helpers/bundle-program';
import { describe, expect, test } from 'vitest';
import { harmless } from '../../../test/other-programs/harmless.ts';
import { running } from '../../../test/other-programs/running.ts';
import { compileMatcher } from '../matcher.ts';

const guard = compileMatcher('Bash(rm *)');
const runsRm = (command: string): boolean => guard.test({ name: 'Bash', input: { command } });

/** The variables that a line sets for its command. */
const ASSIGNMENTS = /^(?:\w+=(?:'[^']*'|"[^"]*"|[^\s'"])*\s+)+/;

/** Whether an allow on the name that the line begins with, behind its variables, is given. */
function isAllowed(line: string): boolean {
  const name = line.replace(ASSIGNMENTS, '').split(/\s/, 1)[0] as string;
  return compileMatcher(`Bash(${name}:*)`).isAll({ name: 'Bash', input: { command: line } });
}

test('what another program runs is seen by a guard', () => {
  const unseen = Object.entries(running).flatMap(([kind, lines]) =>
    lines.filter((line) => !runsRm(line)).map((line) => `${kind}: ${line}`),
  );
  expect(unseen).toEqual([]);
});

test('what may run another program is allowed to nobody', () => {
  const allowed = Object.entries(running).flatMap(([kind, lines]) =>
    lines.filter(isAllowed).map((line) => `${kind}: ${line}`),
  );
  expect(allowed).toEqual([]);
});

describe('everyday lines', () => {
  test('alarm no guard', () => {
    expect(harmless.filter(runsRm)).toEqual([]);
  });
});

/** How many characters regular expressions are given while each line is read. */
async function charactersLookedAt(lines: readonly string[]): Promise<number[]> {
  const program = new URL('../../../test/other-programs/count-characters.ts', import.meta.url);
  const thread = new Worker(await bundleProgram(program), { workerData: lines });
  const [counts] = await once(thread, 'message');
  return counts as number[];
}

describe('a line of twice the length takes twice the work', () => {
  test.each<[string, (count: number) => string]>([
    ['wrappers', (count) => 'sudo -u a '.repeat(count)],
    ['wrappers of nothing', (count) => 'sudo '.repeat(count)],
    ['tildes', (count) => `echo ${'~'.repeat(count)}`],
    ['assigned tildes', (count) => `A=${'~'.repeat(count)}`],
    ['words', (count) => `echo ${'a '.repeat(count)}`],
    ['settings', (count) => `git ${'-c a.b=c '.repeat(count)}`],
    ['interpreters', (count) => 'sudo perl -w '.repeat(count)],
    ['commands of sed', (count) => `sed '${'s/a/b/;'.repeat(count)}'`],
    ['windows of tmux', (count) => `tmux ${'new a \\; '.repeat(count)}`],
    ['filters of git', (count) => `git rebase ${'-x a '.repeat(count)}`],
    ['options of npx', (count) => `npx ${'-c a '.repeat(count)}`],
    ['programs of awk', (count) => `awk '${'{ a } '.repeat(count)}'`],
  ])('%s', async (_, lineOf) => {
    const [single = Number.NaN, twice] = await charactersLookedAt([lineOf(1_000), lineOf(2_000)]);
    expect(single).toBeGreaterThan(1_000);
    expect(twice).toBeLessThan(2.5 * single + 10_000);
  });
});
