import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { marked } from '../../test/processes.ts';
import { createCommandRunner } from './command-runner.ts';

test('runs so many commands at a time, in order', async () => {
  const runner = createCommandRunner({ maxConcurrent: 2 });
  const command = 'date +%s%N; sleep 0.2; date +%s%N';
  const results = await Promise.all(Array.from({ length: 5 }, () => runner.run(marked(command).start)));
  const times = results.map(({ stdout }) => Buffer.from(stdout).toString().split('\n', 2).map(Number));
  const atOnce = times.map(
    ([start = 0]) => times.filter(([from = 0, to = 0]) => from <= start && start < to).length,
  );
  expect(Math.max(...atOnce)).toBe(2);
  const starts = times.map(([start = 0]) => start);
  expect(Math.min(...starts.slice(2))).toBeGreaterThan(Math.max(...starts.slice(0, 2)));
});

test('does not start what was aborted while it waited, and goes on', async () => {
  const runner = createCommandRunner({ maxConcurrent: 1 });
  const first = runner.run(marked('sleep 0.3').start);
  const second = runner.run(marked('exit 1', { signal: AbortSignal.timeout(50) }).start);
  const third = runner.run(marked('exit 3').start);
  const ended: string[] = [];
  for (const [name, run] of Object.entries({ first, second, third })) void run.then(() => ended.push(name));
  expect(await second).toMatchObject({ outcome: 'aborted' });
  expect(await first).toMatchObject({ outcome: 'exited', code: 0 });
  expect(await third).toMatchObject({ outcome: 'exited', code: 3 });
  // What was aborted left no room: the third waited for the first.
  expect(ended).toEqual(['second', 'first', 'third']);
});

test('ends everything when it is closed, and its own only', async () => {
  const [runner, other] = [createCommandRunner({ maxConcurrent: 2 }), createCommandRunner()];
  const commands = ['setsid sleep 30 >/dev/null 2>&1 & sleep 30', 'trap "" TERM; sleep 30', 'exit 1'].map(
    (command) => marked(command),
  );
  const runs = commands.map(({ start }) => runner.run(start));
  const untouched = other.run(marked('sleep 1; exit 6').start);
  await sleep(200);
  await runner.close();
  if (process.platform === 'linux')
    expect(commands.map(({ processes }) => processes())).toEqual([[], [], []]);
  expect((await Promise.all(runs)).map(({ outcome }) => outcome)).toEqual(['aborted', 'aborted', 'aborted']);
  expect(await runner.run(marked('exit 0').start)).toMatchObject({ outcome: 'aborted' });
  expect(await untouched).toMatchObject({ outcome: 'exited', code: 6 });
  await other.close();
});

test.each([0, -1, 1.5, Number.NaN])('refuses %s as maxConcurrent', (maxConcurrent) => {
  expect(() => createCommandRunner({ maxConcurrent })).toThrow(
    expect.objectContaining({ code: 'bad_option' }),
  );
});
