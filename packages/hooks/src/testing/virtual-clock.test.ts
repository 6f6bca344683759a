import { describe, expect, test, vi } from 'vitest';
import { virtualClock } from './virtual-clock.ts';

describe('virtualClock', () => {
  test('stands still until it is advanced', async () => {
    const clock = virtualClock();
    const fired = vi.fn();
    clock.setTimeout(fired, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(clock.now()).toBe(0);
    expect(fired).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(clock.now()).toBe(1);
    expect(fired).toHaveBeenCalledOnce();
  });

  test('fires timers in the order of their times, each at its time, also those that timers set', async () => {
    const clock = virtualClock();
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name} ${clock.now()}`);
    clock.setTimeout(note('c'), 300);
    clock.setTimeout(note('a'), 100);
    clock.setTimeout(note('b1'), 200);
    clock.setTimeout(note('b2'), 200);
    clock.setTimeout(() => clock.setTimeout(note('nested'), 100), 150);
    clock.setTimeout(note('late'), 1_001);
    clock.clearTimeout(clock.setTimeout(note('cleared'), 120));
    await clock.advance('1s');
    expect(fired).toEqual(['a 100', 'b1 200', 'b2 200', 'nested 250', 'c 300']);
    expect(clock.now()).toBe(1_000);
  });

  test('lets promises settle between two timers', async () => {
    const clock = virtualClock();
    const seen: number[] = [];
    const work = async () => {
      for (let i = 0; i < 5; i++) {
        await clock.sleep('1s');
        for (let j = 0; j < 20; j++) await Promise.resolve();
        seen.push(clock.now());
      }
    };
    const done = work();
    await clock.advance('10s');
    expect(seen).toEqual([1_000, 2_000, 3_000, 4_000, 5_000]);
    await done;
  });

  test('works where a test framework has put its own timers in place', async () => {
    vi.useFakeTimers();
    try {
      const clock = virtualClock();
      const slept = clock.sleep(5);
      await clock.advance(5);
      await slept;
    } finally {
      vi.useRealTimers();
    }
  });

  test('sleep ends with its signal', async () => {
    const clock = virtualClock();
    const controller = new AbortController();
    const slept = clock.sleep('5s', controller.signal);
    controller.abort('enough');
    await expect(slept).rejects.toBe('enough');
    await expect(clock.sleep('5s', controller.signal)).rejects.toBe('enough');
  });

  test('refuses what is no duration', async () => {
    const clock = virtualClock();
    await expect(clock.advance(-1)).rejects.toThrow(
      'The time of a virtual clock must be a duration between 1 ms and 24 days: a number of milliseconds, or a text with a unit (ms, s, m, h, d) such as "5s"; got -1.',
    );
    expect(() => clock.sleep('5 s' as '5s')).toThrow('got "5 s". Did you mean "5s"?');
  });
});
