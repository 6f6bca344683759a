import { existsSync } from 'node:fs';
import type { RunError } from '@spec/hooks';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import { call, item, message, run, waitMs } from '../../src/testing/store-suite-samples.ts';
import { say } from './say.ts';

/** Processes that write beside others; `argument` names the thread. */
export const contendingRoles: Record<string, (path: string, argument: string) => Promise<void>> = {
  /** Appends 150 messages to a thread of its own once there is a file beside the store; says when it began and ended, and how long a write took at most. */
  async write(path, threadId) {
    const store = sqliteStore({ path });
    const { fence } = await store.acquireLease({ threadId, owner: `process-${process.pid}`, ttlMs: 60_000 });
    say('ready');
    while (!existsSync(`${path}-go`)) await waitMs(5);
    const began = Date.now();
    let longest = 0;
    for (let n = 0; n < 150; n += 1) {
      const id = `${threadId}-${n}`;
      const append = { messages: [message(id)], toolCalls: [call(id)], runs: [run('r', { threadId })] };
      const before = Date.now();
      await store.append(threadId, fence, append);
      longest = Math.max(longest, Date.now() - before);
    }
    say(JSON.stringify({ began, ended: Date.now(), longest }));
    await store.close();
  },

  /** Posts a message and a stop to a thread that another process writes to; says what came of it. */
  async post(path, threadId) {
    const store = sqliteStore({ path });
    say(await store.post(threadId, item('q1')).then(() => 'posted', readCode));
    say(await store.post(threadId, { id: 'stop', kind: 'stop', payload: {} }).then(() => 'posted', readCode));
    await store.close();
  },

  /** Asks for a thread's lease; says what came of it. */
  async ask(path, threadId) {
    const store = sqliteStore({ path });
    const asked = store.acquireLease({ threadId, owner: `process-${process.pid}`, ttlMs: 60_000 });
    say(await asked.then(() => 'leased', readCode));
    say(
      await store
        .append(threadId, 0, { messages: [message('without a lease')] })
        .then(() => 'stored', readCode),
    );
    await store.close();
  },

  /** Writes to a thread every 20 ms under a lease of 200 ms that it renews, until it is refused; says what it stored, and why it ended. */
  async renew(path, threadId) {
    const store = sqliteStore({ path });
    let lease = await store.acquireLease({ threadId, owner: 'stopped', ttlMs: 200 });
    for (let n = 0; ; n += 1) {
      const stored = await store
        .append(threadId, lease.fence, { messages: [message(`s${n}`)] })
        .then(() => undefined, readCode);
      if (stored !== undefined) {
        say(stored);
        say(await store.renewLease(lease, 200).then(() => 'renewed', readCode));
        say(await store.deleteThread(threadId, lease.fence).then(() => 'deleted', readCode));
        return store.close();
      }
      say(`s${n}`);
      lease = await store.renewLease(lease, 200).catch(() => lease);
      await waitMs(20);
    }
  },
};

function readCode(error: RunError): string {
  return error.code;
}
