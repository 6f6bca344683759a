import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { postgresStore } from '@spec/postgres';
import { restateEngine } from '@spec/restate';
import type { Runtime } from '@spec/runtime';
import { startSupport } from './agent.ts';
import { Board } from './board.ts';
import { startServices } from './services.ts';

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: '.cluster' },
    turns: { type: 'string', default: 'Infinity' },
  },
});
const folder = resolve(process.env.INIT_CWD ?? '.', values.folder);
mkdirSync(folder, { recursive: true });
console.log(`Everything is in ${folder}. The first start installs PostgreSQL and Restate, 100 MB.`);

const board = new Board();
const services = await startServices(folder, (told) => board.note(told));
const store = await postgresStore({ url: services.postgres.address, patienceMs: 60_000 });
const runtime = startSupport(store, restateEngine({ ingress: services.ingress }));

const end = new AbortController();
process.once('SIGINT', () => end.abort()).once('SIGTERM', () => end.abort());
const drawing = setInterval(() => board.draw(services.pids()), 500);

await Promise.all(['ann', 'bob', 'cleo', 'dan'].map((name) => talk(runtime, name)));
clearInterval(drawing);
board.draw(services.pids());
await services.stop();
console.log('All has ended. The next start goes on with the same threads.');
process.exit(0); // Turns that were sent go on at the next start; nobody waits for them here.

/** Sends one message after another on a thread, until the end. */
async function talk(runtime: Runtime, name: string): Promise<void> {
  const [known] = (await runtime.listThreads()).filter(({ id }) => id === name);
  const thread = known
    ? await runtime.openThread(name)
    : await runtime.createThread({ agent: 'support', id: name });
  const sentBefore = (await thread.messages()).filter(({ role }) => role === 'user').length;
  for (let n = sentBefore + 1; n <= sentBefore + Number(values.turns) && !end.signal.aborted; n++) {
    const turn = thread.send(`Where is order ${n}?`, { id: `order-${n}` });
    await Promise.race([
      turn.catch(() => {}),
      wait(2 ** 31 - 1, undefined, { signal: end.signal }).catch(() => {}),
    ]);
  }
}
