import { describe, expect, test } from 'vitest';
import { deferred, harness, makeHook } from '../../test/chain.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import type { HookPermit } from './permit.ts';
import { hookPermit } from './permit.ts';

const readPermit = (state: ThreadState): HookPermit =>
  (state as unknown as { [hookPermit]: HookPermit })[hookPermit];

/** A hook with 100 ms that waits for a person for as long as the test says, and then for more work. */
function asking(before?: () => Promise<void>) {
  const answer = deferred<void>();
  let resume: (() => void) | undefined;
  const hook = makeHook(
    'after_tool_batch',
    async (state) => {
      await before?.();
      resume = readPermit(state).pauseClock();
      await answer.promise;
      resume();
      await work.promise;
      return 'done';
    },
    { timeout: 100 },
  );
  const work = deferred<void>();
  return { hook, answer, work, resumeAgain: () => resume?.() };
}

describe('the clock of a hook while a person decides', () => {
  test('stands still, and the run does not count that time', async () => {
    const { run, clock, records } = harness();
    const { hook, answer, work } = asking();
    const running = run([hook], []);
    await clock.advance('60m');
    answer.resolve();
    await clock.advance(90);
    work.resolve();
    expect(await running).toEqual(['done']);
    expect(records).toMatchObject([{ outcome: 'ok', ms: 90 }]);
  });

  test('runs again afterwards, with what was left of it, however often that is said', async () => {
    const { run, clock, outcomes, records } = harness();
    const { hook, answer, resumeAgain } = asking(() => clock.sleep(40));
    const running = run([hook], []);
    await clock.advance('60m');
    answer.resolve();
    await clock.advance(59);
    expect(outcomes()).toEqual([]);
    resumeAgain();
    await clock.advance(1);
    expect(await running).toEqual([]);
    expect(outcomes()).toEqual(['timed_out']);
    expect(records[0]?.ms).toBe(100);
  });

  test('two questions at once: it runs again when both are answered', async () => {
    const { run, clock, outcomes } = harness();
    let resumes: Array<() => void> = [];
    const hook = makeHook(
      'after_tool_batch',
      (state) => {
        resumes = [readPermit(state).pauseClock(), readPermit(state).pauseClock()];
        return new Promise(() => {});
      },
      { timeout: 100 },
    );
    const running = run([hook], []);
    await clock.advance('60m');
    resumes[0]?.();
    resumes[0]?.();
    await clock.advance('60m');
    expect(outcomes()).toEqual([]);
    resumes[1]?.();
    await clock.advance(100);
    await running;
    expect(outcomes()).toEqual(['timed_out']);
  });

  test('the clocks of all hooks around it stand still too', async () => {
    const { run, executor, clock, outcomes } = harness();
    const { hook: inner, answer, work } = asking();
    const outer = makeHook(
      'after_tool_batch',
      async (state) => {
        const scope = { after_tool_batch: [{ hook: inner, source: 'policy' }] };
        return [...(await executor.run('after_tool_batch', scope, state, []))];
      },
      { timeout: 100 },
    );
    const running = run([outer], []);
    await clock.advance('60m');
    answer.resolve();
    await clock.advance(50);
    work.resolve();
    expect(await running).toEqual(['done']);
    expect(outcomes()).toEqual(['ok', 'ok']);
  });

  test('a pause that outlives its hook moves no other hook’s deadline', async () => {
    const { run, clock, outcomes } = harness();
    let resume: (() => void) | undefined;
    const first = makeHook('after_tool_batch', async (state) => {
      resume = readPermit(state).pauseClock();
      return null;
    });
    const second = makeHook('after_tool_batch', () => new Promise(() => {}), { timeout: 100 });
    const running = run([first, second], []);
    await clock.advance(60);
    resume?.();
    await clock.advance(40);
    await running;
    expect(outcomes()).toEqual(['ok', 'timed_out']);
  });

  test('the thread’s abort ends a hook whose clock stands still', async () => {
    const { run, thread, outcomes } = harness();
    const { hook } = asking();
    const running = run([hook], []);
    await Promise.resolve();
    thread.abort();
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
    expect(outcomes()).toEqual(['aborted']);
  });
});
