import { setTimeout as wait } from 'node:timers/promises';
import type { Thread } from '../src/index.ts';
import { sqliteStore } from '../src/stores/sqlite/index.ts';
import { eventfulTurn } from './eventful-turn.ts';
import { Mortality } from './mortal-store.ts';
import { startRuntime } from './start-runtime.ts';

/** How long the threads of a killed process stay reserved for it, in milliseconds. */
const LEASE = 20;

/**
 * A process to be killed. `die FILE WRITE before|after` runs one turn and kills itself with SIGKILL at that write to the
 * store; `live FILE FIRST LAST` runs those turns, one after another, and says each number when its turn is over.
 */
async function main([role, path = '', ...args]: readonly string[]): Promise<void> {
  if (role === 'die') await runTurns(path, { first: 1, last: 1, dies: deathOf(args) });
  else await runTurns(path, { first: Number(args[0]), last: Number(args[1]) });
}

function deathOf([write, when]: readonly string[]): Mortality {
  const onDeath = (): void => void process.kill(process.pid, 'SIGKILL');
  return new Mortality({ atWrite: Number(write), when: when === 'before' ? 'before' : 'after', onDeath });
}

interface Turns {
  readonly first: number;
  readonly last: number;
  readonly dies?: Mortality;
}

/** Runs turns under ids of their own, in the thread `t` of a file. */
async function runTurns(path: string, { first, last, dies = new Mortality() }: Turns): Promise<void> {
  const store = dies.storeOf(sqliteStore({ path, synchronous: 'NORMAL' }));
  const { runtime } = startRuntime(store, { ...eventfulTurn(), lease: LEASE });
  const isThere = (await store.getThread('t')) !== null;
  const thread = isThere
    ? await runtime.openThread('t')
    : await runtime.createThread({ agent: 'agent', id: 't' });
  process.stdout.write('ready\n');
  for (let number = first; number <= last; number++) {
    await sendWhenFree(thread, number);
    await thread.idle();
    process.stdout.write(`${number}\n`);
  }
  await runtime.close();
}

/** The lease of a process that was killed has to run out first. */
async function sendWhenFree(thread: Thread, number: number): Promise<void> {
  for (;;) {
    try {
      await thread.send(`Go ${number}`, { id: `turn-${number}` });
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'thread_busy') throw error;
      await wait(LEASE / 4);
    }
  }
}

await main(process.argv.slice(2));
