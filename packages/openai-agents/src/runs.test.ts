import { expect, test } from 'vitest';
import { type Running, Runs } from './runs.ts';

const makeRunning = () => ({}) as Running;

test('hooks find their own run inside of a run of other hooks, and no run of others', async () => {
  const [outer, inner, other] = [new Runs(), new Runs(), new Runs()];
  const [ofOuter, ofInner] = [makeRunning(), makeRunning()];
  await outer.within(ofOuter, async () => {
    expect(() => inner.find()).toThrow(/was run without them/);
    await inner.within(ofInner, async () => {
      await Promise.resolve();
      expect(outer.find()).toBe(ofOuter);
      expect(inner.find()).toBe(ofInner);
      expect(() => other.find()).toThrow(/was run without them/);
    });
    expect(() => inner.find()).toThrow(/was run without them/);
  });
  expect(() => outer.find()).toThrow(/was run without them/);
});
