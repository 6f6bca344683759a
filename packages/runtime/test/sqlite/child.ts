// A process of the persistence tests: `child.ts ROLE PATH …`. What it has to say goes to standard output, a line at a time.
import { existsSync } from 'node:fs';
import { RunError } from '@spec/hooks';
import { sleep } from '../../src/stores/sqlite/file/patience.ts';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import { call, message, run, t, thread } from '../../src/testing/store-suite-samples.ts';
import { contendingRoles } from './contending-roles.ts';
import { failingRoles } from './failing-roles.ts';
import { say } from './say.ts';

const [role = '', path = '', argument = ''] = process.argv.slice(2);
const long = 60_000;

const roles: Record<string, () => Promise<void>> = {
  /** Says whether the file opens, or the code and message of its refusal; as the user `argument`, where one is given. */
  async open() {
    await sqliteStore({ path: ':memory:' }).close(); // Everything is loaded by now: the other user may not be able to read it.
    if (argument !== '') {
      process.setgid?.(Number(argument));
      process.setuid?.(Number(argument));
    }
    await sqliteStore({ path }).close();
    say('opened');
  },

  /** Appends messages until it is killed, each with a call and runs, and deletes one now and then; says what it did, and before each delete that it will. */
  async append() {
    const store = sqliteStore({ path });
    const { fence } = await store.acquireLease({ threadId: t, owner: 'writer', ttlMs: long });
    for (let n = Number(argument); ; n += 1) {
      const id = `m${n}`;
      const runs = [run('redact'), run('stamp')];
      await store.append(t, fence, { messages: [message(id)], toolCalls: [call(id)], runs });
      say(`+${n}`);
      if (n % 10 === 9) {
        say(`?${n - 5}`);
        await store.deleteMessage(t, fence, `m${n - 5}`);
        say(`-${n - 5}`);
      }
    }
  },

  /** Adds 1 to a value, again and again, each time under a lease that it waits for; says the fences. */
  async count() {
    const store = sqliteStore({ path });
    const owner = `process-${process.pid}`;
    for (let done = 0; done < Number(argument); ) {
      const lease = await store.acquireLease({ threadId: t, owner, ttlMs: long }).catch(busyAsNull);
      if (!lease) await new Promise((resolve) => setTimeout(resolve, 1));
      else {
        const value = (await store.getValue(t, 'counter')) as number;
        await new Promise((resolve) => setTimeout(resolve, 1));
        await store.setValue(t, lease.fence, { key: 'counter', value: value + 1 });
        await store.releaseLease(lease);
        say(lease.fence);
        done += 1;
      }
    }
    await store.close();
  },

  /** Takes a short lease, stalls until there is a file at `argument`, and then tries to write; says what came of it. */
  async stall() {
    const store = sqliteStore({ path });
    const { fence } = await store.acquireLease({ threadId: t, owner: 'stalled', ttlMs: 1 });
    say('leased');
    while (!existsSync(argument)) sleep(5);
    const outcome = await store.append(t, fence, { messages: [message('late')] }).then(
      () => 'stored',
      (error: RunError) => error.code,
    );
    say(outcome);
    await store.close();
  },

  /** Makes a hundred stores beside `path`, each at a moment that other processes choose too. */
  async race() {
    for (let n = 0; n < 100; n += 1) {
      while (Date.now() < Number(argument) + n * 15);
      const store = sqliteStore({ path: `${path}-${n}`, synchronous: 'NORMAL' });
      await store.createThread(thread()).catch(() => {});
      await store.close();
    }
    say('made');
  },
};

function busyAsNull(error: unknown): null {
  if (error instanceof RunError && error.code === 'thread_busy') return null;
  throw error;
}

try {
  const more = { ...contendingRoles, ...failingRoles };
  await (roles[role] ?? more[role])?.(path, argument);
} catch (error) {
  if (!(error instanceof RunError)) throw error;
  say(`${error.code} ${error.message}`);
}
