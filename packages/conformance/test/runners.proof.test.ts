import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, 'runners');
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

const runners = {
  'node:test': [
    '--conditions=@spec/source',
    '--import',
    import.meta.resolve('tsx'),
    '--test',
    '--test-reporter=spec',
    join(folder, 'node-suite.ts'),
  ],
  vitest: [vitest, 'run', '--config', join(folder, 'vitest.config.ts'), '--reporter=verbose', '--no-color'],
} as const;

async function run(
  runner: keyof typeof runners,
  baseline: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { NODE_OPTIONS: _, VITEST: __, NODE_TEST_CONTEXT: ___, ...inherited } = process.env;
  const env = { ...inherited, BASELINE: JSON.stringify(baseline), NO_COLOR: '1' };
  const child = spawn(process.execPath, runners[runner], { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output: stripVTControlCharacters(output) };
}

describe.each(Object.keys(runners) as Array<keyof typeof runners>)('%s', (runner) => {
  test('a case that fails fails the run, and says what was demanded', { timeout: 60_000 }, async () => {
    const { code, output } = await run(runner, {});
    expect(code, output).toBe(1);
    expect(output).toContain('conformance of tiny');
    expect(output).toContain('The answer | is stored. (beyond the specification, C9)');
    expect(output).toContain('needs streaming, files');
  });

  test('one that the baseline knows does not', { timeout: 60_000 }, async () => {
    const { code, output } = await run(runner, { 'storage.answers': 'there are no answers' });
    expect(output).toContain('storage.answers (known to fail)');
    expect(code, output).toBe(0);
  });

  test('a stale baseline does', { timeout: 60_000 }, async () => {
    const { code, output } = await run(runner, {
      'storage.answers': 'none',
      'storage.keeps': 'why',
      'storage.gone': 'why',
    });
    expect(code, output).toBe(1);
    expect(output).toContain(
      'The baseline says that "storage.keeps" fails ("why"), and it passes: take it out of the baseline.',
    );
    expect(output).toContain('No case has the id "storage.gone": take it out of the baseline.');
  });
});
