import { parseArgs } from 'node:util';
import { SCHEMA, startCluster } from './cluster.ts';
import { faults } from './faults.ts';
import { startLoad } from './load.ts';
import { findWrongs } from './verify-tables.ts';

// `npm run test:faults -- --kills 500 --minutes 30`: one fault after the other while turns run, until so much was killed or the time is over. Then the
// tables are read. Needs nobody beside it; the exit code is 0 where all was killed and nothing is wrong.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    threads: { type: 'string', default: '6' },
    minutes: { type: 'string', default: '30' },
  },
});

/** How long no turn may end, in milliseconds: then something is stuck. */
const stuckMs = 90_000;

const cluster = await startCluster(3);
console.log(`Everything is in ${cluster.folder}.`);
const load = await startLoad(cluster, Number(values.threads));
const counts = new Map<string, number>();
let killed = 0;
const start = performance.now();
const measureMinutes = () => (performance.now() - start) / 60_000;
const isOver = () => killed >= Number(values.kills) || measureMinutes() > Number(values.minutes);
try {
  while (!isOver())
    for (const [name, fault] of Object.entries(faults)) {
      const before = load.turns();
      const count = await fault(cluster);
      killed += count;
      counts.set(name, (counts.get(name) ?? 0) + count);
      await waitForTurns(before + 2, name);
      console.log(`${killed} killed, ${load.turns()} turns: ${name}`);
    }
  await load.end();
  const minutes = measureMinutes();
  const begun = cluster.attempts().filter(({ state }) => state === 'begun').length;
  const wrongs = await findWrongs({ url: cluster.postgres.url, schema: SCHEMA }, load.sent);
  for (const [name, count] of counts) console.log(`${String(count).padStart(5)}  ${name}`);
  console.log(
    `${killed} kills in ${minutes.toFixed(1)} minutes, ${load.turns()} turns, ${begun} attempts, ${wrongs.length} wrong`,
  );
  for (const wrong of wrongs) console.log(wrong);
  process.exitCode = wrongs.length === 0 && killed >= Number(values.kills) ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await cluster.stop();
}
process.exit();

async function waitForTurns(count: number, fault: string): Promise<void> {
  for (let waited = 0; load.turns() < count; waited += 50) {
    if (waited > stuckMs) throw new Error(`No turn has ended for ${stuckMs / 1_000} s after: ${fault}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
