import { expect, test } from 'vitest';
import { createExecutor, defineHook, type RunRecord, scopeOf } from '../index.ts';
import type { ThreadState } from '../vocabulary/state.ts';

const state = { execution: { abortSignal: new AbortController().signal } } as unknown as ThreadState;
const HOOKS = 150;
const WORK_MS = 10;
/** Less than the whole line takes, and far more than a busy machine keeps one piece of work waiting. */
const TIMEOUT_MS = 1_000;

/** Does something for so long without giving the event loop free. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Work that is done one after another, each in a turn of the event loop, as a store does it. */
function line(): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const done = last.then(
      () =>
        new Promise<void>((resolve) =>
          setImmediate(() => {
            work(WORK_MS);
            resolve();
          }),
        ),
    );
    last = done;
    return done;
  };
}

function chain(execute: () => Promise<null>, timeout: number) {
  const records: RunRecord[] = [];
  const hook = defineHook({
    hook: 'after_system_message',
    id: 'h',
    timeout,
    onTimeout: 'continue',
    execute,
  });
  const scope = scopeOf([{ hook, source: 'policy' }]);
  const executor = createExecutor({ onRun: (record) => records.push(record) });
  return { run: () => executor.run('after_system_message', scope, state, 'text'), records };
}

test('hooks that wait for each other’s work are not timed out, however long the line is', async () => {
  const next = line();
  const { run, records } = chain(async () => {
    await next();
    return null;
  }, TIMEOUT_MS);
  await Promise.all(Array.from({ length: HOOKS }, run));
  expect(records.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  expect(Math.max(...records.map(({ ms }) => ms))).toBeGreaterThan(TIMEOUT_MS); // The line was longer than that.
}, 60_000);

test('one that hangs among them ends all the same', async () => {
  const next = line();
  let count = 0;
  const { run, records } = chain(async () => {
    if (count++ === 0) return new Promise<null>(() => {});
    await next();
    return null;
  }, TIMEOUT_MS);
  await Promise.all(Array.from({ length: HOOKS }, run));
  expect(records.filter(({ outcome }) => outcome === 'timed_out')).toHaveLength(1);
}, 60_000);

test('one that holds up the event loop alone is late', async () => {
  const { run, records } = chain(async () => {
    await Promise.resolve();
    work(150);
    return null;
  }, 50);
  await run();
  expect(records.map(({ outcome }) => outcome)).toEqual(['timed_out']);
});
