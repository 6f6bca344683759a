// A process of the turn-timer bench: `timer-process.ts FOLDER` keeps 32 threads busy with turns, and tells how late a timer of 10 ms was.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from './ours.ts';

const THREADS = 32;
const EVERY = 10;
const WARM_UP = 2_000;
const MEASURED = 6_000;

const [folder = ''] = process.argv.slice(2);
const connection = await connect({ folder, synchronous: 'NORMAL' });
const turns = await Promise.all(Array.from({ length: THREADS }, () => connection.thread(100)));

let isOn = true;
const busy = turns.map(async (turn) => {
  while (isOn) await turn();
});
await sleep(WARM_UP);

/** Milliseconds. */
const delays: number[] = [];
let last = performance.now();
const timer = setInterval(() => {
  const now = performance.now();
  delays.push(now - last - EVERY);
  last = now;
}, EVERY);
await sleep(MEASURED);
clearInterval(timer);
isOn = false;
await Promise.all(busy);
await connection.close();
process.send?.(delays);
process.disconnect?.();
