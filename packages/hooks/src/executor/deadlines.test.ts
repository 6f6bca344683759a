import { describe, expect, test } from 'vitest';
import { virtualClock } from '../testing/virtual-clock.ts';
import { createDeadlines, type Deadline } from './deadlines.ts';

function watched() {
  const clock = virtualClock();
  let armed = 0;
  const counting = {
    ...clock,
    setTimeout(callback: () => void, ms: number) {
      armed++;
      return clock.setTimeout(callback, ms);
    },
  };
  const deadlines = createDeadlines(counting);
  const passed: string[] = [];
  const deadline = (name: string, at: number): Deadline => ({
    at,
    since: clock.now(),
    slot: 0,
    postpone(ms) {
      this.at += ms;
    },
    expire() {
      passed.push(`${name} at ${clock.now()}`);
      this.at = Number.POSITIVE_INFINITY;
    },
  });
  return { clock, deadlines, deadline, passed, armed: () => armed };
}

describe('the deadlines of an executor', () => {
  test('each expires at its time, in whatever order they came', async () => {
    const { clock, deadlines, deadline, passed } = watched();
    for (const at of [30, 10, 20]) deadlines.add(deadline(`d${at}`, at));
    await clock.advance(100);
    expect(passed).toEqual(['d10 at 10', 'd20 at 20', 'd30 at 30']);
  });

  test('D1: one that moves is not forgotten, earlier or later', async () => {
    const { clock, deadlines, deadline, passed } = watched();
    const [later, earlier] = [deadline('later', 10), deadline('earlier', 50)];
    deadlines.add(later);
    deadlines.add(earlier);
    later.at = 40;
    deadlines.moved(later);
    earlier.at = 20;
    deadlines.moved(earlier);
    await clock.advance(100);
    expect(passed).toEqual(['earlier at 20', 'later at 40']);
  });

  test('D2: what goes away or moves later sets no timer', async () => {
    const { clock, deadlines, deadline, armed, passed } = watched();
    for (let i = 0; i < 1_000; i++) {
      const one = deadline('one', clock.now() + 5_000);
      deadlines.add(one);
      one.at += 10;
      deadlines.moved(one);
      deadlines.remove(one);
    }
    expect(armed()).toBe(1);
    await clock.advance(10_000);
    expect(armed()).toBe(1);
    expect(passed).toEqual([]);
  });

  test('D4: any one can go away, and twice is no harm', async () => {
    const { clock, deadlines, deadline, passed } = watched();
    const all = ['a', 'b', 'c', 'd'].map((name, i) => deadline(name, 10 + i));
    for (const one of all) deadlines.add(one);
    for (const gone of [all[1], all[1], all[3]] as Deadline[]) deadlines.remove(gone);
    await clock.advance(100);
    expect(passed).toEqual(['a at 10', 'c at 12']);
    for (const one of all) deadlines.remove(one);
  });

  test('one that expires may remove itself and others', async () => {
    const { clock, deadlines, deadline, passed } = watched();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => deadline(name, 10)) as [Deadline, Deadline, Deadline];
    const { expire } = a;
    a.expire = () => {
      expire.call(a);
      deadlines.remove(a);
      deadlines.remove(b);
    };
    for (const one of [a, b, c]) deadlines.add(one);
    await clock.advance(10);
    expect(passed).toEqual(['a at 10', 'c at 10']);
  });

  test('D3: the timer keeps the process alive exactly while there are deadlines', () => {
    const refs: boolean[] = [];
    const timer = { ref: () => refs.push(true), unref: () => refs.push(false) };
    const deadlines = createDeadlines({ now: () => 0, setTimeout: () => timer, clearTimeout: () => {} });
    const { deadline } = watched();
    const [a, b] = [deadline('a', 10), deadline('b', 20)];
    deadlines.add(a);
    deadlines.add(b);
    deadlines.remove(a);
    expect(refs).toEqual([]);
    deadlines.remove(b);
    deadlines.add(a);
    expect(refs).toEqual([false, true]);
  });

  test('a timer that is a number, as in a browser, does too', () => {
    const deadlines = createDeadlines({ now: () => 0, setTimeout: () => 1, clearTimeout: () => {} });
    const one = watched().deadline('a', 10);
    deadlines.add(one);
    deadlines.remove(one);
    deadlines.add(one);
  });

  describe('D5: what the event loop does for others does not count', () => {
    /** A loop that is at work for this share of the time. */
    function busy(share: number) {
      const clock = virtualClock();
      const deadlines = createDeadlines({ ...clock, busyMs: () => clock.now() * share });
      const expired: number[] = [];
      const add = (at: number): Deadline => {
        const deadline: Deadline = {
          at,
          since: clock.now(),
          slot: 0,
          postpone(ms) {
            this.at += ms;
          },
          expire() {
            expired.push(clock.now());
            this.at = Number.POSITIVE_INFINITY;
          },
        };
        deadlines.add(deadline);
        return deadline;
      };
      return { clock, deadlines, add, expired };
    }

    test('of a loop that is idle, and of one that works for a single hook, all time counts', async () => {
      const idle = busy(0);
      for (let i = 0; i < 10; i++) idle.add(100);
      await idle.clock.advance(100);
      expect(idle.expired).toHaveLength(10);
      const alone = busy(1);
      alone.add(100);
      await alone.clock.advance(100);
      expect(alone.expired).toEqual([100]);
    });

    test('of a loop that works for ten, each has a tenth of the time', async () => {
      const { clock, add, expired } = busy(1);
      for (let i = 0; i < 10; i++) add(100);
      await clock.advance(900);
      expect(expired).toEqual([]);
      await clock.advance(200);
      expect(expired).toHaveLength(10);
    });

    test('one that came later is given no more than what passed since', async () => {
      const { clock, deadlines, add } = busy(1);
      add(10_000);
      await clock.advance(1_000);
      const late = add(1_100);
      await clock.advance(20);
      deadlines.settle();
      expect(late.at).toBeCloseTo(1_110);
    });

    test('what hangs ends, however many there are', async () => {
      const { clock, add, expired } = busy(1);
      for (let i = 0; i < 1_000; i++) add(100);
      await clock.advance(1_000);
      expect(expired).toEqual([]);
      await clock.advance(4_000);
      expect(expired).toHaveLength(1_000);
    });
  });
});
