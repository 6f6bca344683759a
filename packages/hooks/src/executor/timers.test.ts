import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const index = new URL('../index.ts', import.meta.url).href;
const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Runs a program in a process of its own; how long it lived once it had said that it runs. */
function runProgram(program: string): Promise<{ lines: string[]; code: number | null; ms: number }> {
  const source = `
    import { createExecutor, defineHook, scopeOf } from ${JSON.stringify(index)};
    const state = { execution: { abortSignal: new AbortController().signal } };
    const chainOf = (execute, options) => {
      const hook = defineHook({ hook: 'after_system_message', id: 'h', execute, ...options });
      const scope = scopeOf([{ hook, source: 'policy' }]);
      const executor = createExecutor({ onRun: ({ outcome }) => console.log(outcome) });
      return () => executor.run('after_system_message', scope, state, 'text');
    };
    console.log('runs');
    ${program}
  `;
  const child = spawn(
    process.execPath,
    ['--conditions=@spec/source', '--import', 'tsx', '--input-type=module', '-e', source],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  let startedAt = 0;
  child.stdout.on('data', (text: Buffer) => {
    startedAt ||= performance.now();
    output += text;
  });
  return new Promise((resolve) => {
    child.on('close', (code) =>
      resolve({ lines: output.trim().split('\n'), code, ms: performance.now() - startedAt }),
    );
  });
}

test('a process ends as soon as its last hook has settled, whatever the timeout', async () => {
  const { lines, code, ms } = await runProgram(`await chainOf(async () => null, { timeout: '1m' })();`);
  expect(lines).toEqual(['runs', 'ok']);
  expect(code).toBe(0);
  expect(ms).toBeLessThan(5_000);
}, 30_000);

test('a process with nothing else to do lives until a hanging hook has timed out, and sees the result', async () => {
  const { lines, code, ms } = await runProgram(`
    const hangs = chainOf(() => new Promise(() => {}), { timeout: 300, onTimeout: 'continue' });
    await chainOf(async () => null, {})();
    console.log(await hangs());
  `);
  expect(lines).toEqual(['runs', 'ok', 'timed_out', 'text']);
  expect(code).toBe(0);
  expect(ms).toBeGreaterThan(290);
  expect(ms).toBeLessThan(5_000);
}, 30_000);
