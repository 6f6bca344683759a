import { setTimeout as wait } from 'node:timers/promises';
import { defineHook } from '@spec/hooks';
import type { Thread } from '../src/index.ts';
import { eventfulTurn } from './eventful-turn.ts';
import { openLasting } from './lasting-store.ts';
import { Mortality } from './mortal-store.ts';
import { startRuntime } from './start-runtime.ts';

/** How long the threads of a killed process stay reserved for it, in milliseconds. */
const LEASE = 20;

/**
 * A process to be killed. `die FILE WRITE before|after` runs one turn and kills itself with SIGKILL at that write to the
 * store, `die FILE WRITE before|after more` with hooks that those who finish it do not have; `live FILE FIRST LAST` runs those turns, one after another, and says each number when its turn is over.
 */
async function main([role, path = '', ...args]: readonly string[]): Promise<void> {
  if (role === 'die')
    await runTurns(path, { first: 1, last: 1, dies: planDeath(args), hasMore: args[2] === 'more' });
  else await runTurns(path, { first: Number(args[0]), last: Number(args[1]) });
}

function planDeath([write, when]: readonly string[]): Mortality {
  const onDeath = (): void => void process.kill(process.pid, 'SIGKILL');
  return new Mortality({ atWrite: Number(write), when: when === 'before' ? 'before' : 'after', onDeath });
}

/** Hooks that write into every place where others do. */
const moreHooks = (['before_tool_call', 'after_tool_call_success'] as const).map((name) =>
  defineHook<'after_tool_call_success'>({
    hook: name as 'after_tool_call_success',
    id: `more_${name}`,
    execute: async (state) => {
      await state.injectMessage({ role: 'user', content: 'one more' });
      await (await state.getParentThread())?.injectMessage({ role: 'user', content: 'one more' });
      return null;
    },
  }),
);

interface Turns {
  readonly first: number;
  readonly last: number;
  readonly dies?: Mortality;
  readonly hasMore?: boolean;
}

/** Runs turns under ids of their own, in the thread `t` of a file. */
async function runTurns(
  path: string,
  { first, last, dies = new Mortality(), hasMore = false }: Turns,
): Promise<void> {
  const store = dies.storeOf(openLasting(path));
  const setup = eventfulTurn();
  const policies = hasMore ? [...moreHooks, ...(setup.policies ?? [])] : setup.policies;
  const { runtime } = startRuntime(store, { ...setup, policies: policies ?? [], lease: LEASE });
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
