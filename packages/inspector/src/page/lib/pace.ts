import { signal } from '@preact/signals';

/** Grows whenever what was stored is to be looked at. */
export const moved = signal(0);

/**
 * A page beside a busy agent shares its processor: looks that follow each other take this share of the time, however much
 * is stored. What was saved while nothing was stored goes first, so that single messages are shown at once.
 */
const share = 0.05;
const mostSavedMs = 500;
const mostRestMs = 3_000;

/** Milliseconds that looks may take at once; below zero where they took more. */
let saved = mostSavedMs;
let savedAt = 0;
/** Answers that are waited for. Until they are there nothing is asked anew: an answer that takes longer than the next change would never be shown. */
let waitedFor = 0;
/** When the look began that is not drawn yet. */
let begunAt: number | undefined;
/** Whether something was stored since the last look. */
let isDue = false;
let isResting = false;

/** Lets the views look at what was stored: now, or once the last look is drawn and the page has rested. */
export function paceMoved(): void {
  isDue = waitedFor > 0 || begunAt !== undefined || isResting;
  if (isDue) return;
  begunAt = performance.now();
  moved.value++;
  // What views ask for, they ask once they are drawn.
  void whileAsking(untilDrawn());
}

/** Gives an answer on; what is stored meanwhile is told after it. */
export async function whileAsking<Answer>(answer: Promise<Answer>): Promise<Answer> {
  waitedFor++;
  try {
    return await answer;
  } finally {
    waitedFor--;
    // Whoever waits for the answer comes first, and what it draws.
    if (waitedFor === 0) void untilDrawn().then(rest);
  }
}

function untilDrawn(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function rest(): void {
  if (waitedFor > 0 || isResting) return;
  const now = performance.now();
  const taken = begunAt === undefined ? 0 : now - begunAt;
  saved = Math.min(mostSavedMs, saved + (now - savedAt) * share) - taken;
  // A look that took long is rested for once.
  saved = Math.max(saved, -mostRestMs * share);
  savedAt = now;
  begunAt = undefined;
  isResting = true;
  setTimeout(wake, Math.max(0, -saved / share));
}

function wake(): void {
  isResting = false;
  if (isDue) paceMoved();
}
