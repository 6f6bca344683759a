import { afterEach, beforeEach, expect, test, vi } from 'vitest';

type Pace = typeof import('./pace.ts');

let pace: Pace;
/** When each look began. */
let looks: number[];
let answerMs: number;

beforeEach(async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'performance'],
  });
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 16));
  vi.resetModules();
  pace = await import('./pace.ts');
  looks = [];
  answerMs = 20;
  pace.moved.subscribe((round) => {
    if (round === 0) return;
    looks.push(performance.now());
    void pace.whileAsking(new Promise((resolve) => setTimeout(resolve, answerMs)));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each([20, 80, 140])('looks of %i ms take a twentieth of the time of a busy agent', async (ms) => {
  answerMs = ms;
  await storeFor(60_000, { every: 20 });
  expect(looks.length).toBeGreaterThan(10);
  // A frame is drawn before and after an answer at most.
  expect(looks.length * ms).toBeLessThan(60_000 * 0.05 + 500 + ms);
});

test('a look that takes long is followed by another one three seconds later', async () => {
  answerMs = 4_000;
  await storeFor(60_000, { every: 20 });
  expect(Math.max(...looks.slice(1).map((at, i) => at - (looks[i] ?? 0)))).toBeLessThan(4_000 + 3_000 + 100);
});

test('a look that took long delays the next ones no longer than that', async () => {
  answerMs = 60_000;
  await storeFor(60_100, { every: 100 });
  answerMs = 20;
  looks.length = 0;
  await storeFor(20_000, { every: 20 });
  expect(looks.length).toBeGreaterThan(15);
});

test('single messages are looked at once', async () => {
  for (let stored = 1; stored <= 60; stored++) {
    pace.paceMoved();
    expect(looks).toHaveLength(stored);
    await vi.advanceTimersByTimeAsync(1_000);
  }
});

test('what is stored while a page looks or rests is looked at after it', async () => {
  for (const after of [0, 1, 10, 25, 40, 60, 200]) {
    await storeFor(5_000, { every: 20 });
    pace.paceMoved();
    await vi.advanceTimersByTimeAsync(after);
    const storedAt = performance.now();
    pace.paceMoved();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(looks.at(-1)).toBeGreaterThanOrEqual(storedAt);
  }
});

test('what a person asks for costs no rest', async () => {
  for (let i = 0; i < 20; i++) {
    const answer = pace.whileAsking(new Promise((resolve) => setTimeout(resolve, 1_000)));
    await vi.advanceTimersByTimeAsync(1_100);
    await answer;
  }
  pace.paceMoved();
  expect(looks).toHaveLength(1);
});

/** Something is stored again and again. */
async function storeFor(ms: number, { every }: { every: number }): Promise<void> {
  for (let past = 0; past < ms; past += every) {
    pace.paceMoved();
    await vi.advanceTimersByTimeAsync(every);
  }
}
