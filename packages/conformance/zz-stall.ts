import { cases, judge, summaryOf } from '/work/main/packages/conformance/src/index.ts';
import { ourRuntime } from '/work/main/packages/conformance/test/our-runtime.ts';

const [only, conc = '4', lo = '50', hi = '400', every = '40'] = process.argv.slice(2);
const sab = new Int32Array(new SharedArrayBuffer(4));
let stalls = 0;
function stall() {
  stalls++;
  Atomics.wait(sab, 0, 0, +lo + Math.random() * (+hi - +lo));
  arm();
}
function arm() {
  setTimeout(stall, Math.random() * +every).unref();
}
if (+hi > 0) arm();
const t = performance.now();
const j = await judge(ourRuntime('memory'), {
  ...(only && only !== '-' ? { only } : {}),
  concurrency: +conc,
  timeLimit: 60_000,
});
for (const v of j.verdicts) if (v.outcome !== 'passed') console.log(v.outcome, v.id, v.message);
console.log(summaryOf(j), Math.round(performance.now() - t), 'ms', stalls, 'stalls');
const slow = [...j.verdicts].sort((a, b) => b.ms - a.ms).slice(0, 25);
if (+hi === 0) for (const v of slow) console.log(Math.round(v.ms), v.id);
