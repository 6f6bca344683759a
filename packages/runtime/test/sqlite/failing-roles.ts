import { openSync, readdirSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunError } from '@spec/hooks';
import Database from 'better-sqlite3';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import type { Store } from '../../src/stores/store.ts';
import { call, file, message, run, t, thread } from '../../src/testing/store-suite-samples.ts';
import { say } from './say.ts';

/** Processes to which the system says no. */
export const failingRoles: Record<string, (path: string, argument: string) => Promise<void>> = {
  /** Keeps the write lock, as a process that hangs in a transaction does, until it is killed. */
  async lock(path) {
    const client = new Database(path);
    client.exec('begin immediate');
    say('locked');
    setInterval(() => client.inTransaction, 1000); // A connection that nothing holds is closed when memory is cleaned up.
  },

  /** Fills a small disk; says how each way to write was refused, and what is in the file before and after there is room again. */
  async fill(path) {
    const ballast = join(dirname(path), 'ballast');
    writeFileSync(ballast, Buffer.alloc(512 * 1024));
    const store = sqliteStore({ path });
    await store.createThread(thread());
    say(`appends: ${await appendUntilFull(store)}`);
    for (const [name, write] of listWrites(store)) say(`${name}: ${await outcome(write())}`);
    say(await contents(store));
    unlinkSync(ballast);
    await store.append(t, 0, {
      messages: [message('after')],
      toolCalls: [call('after')],
      runs: [run('after')],
    });
    say(await contents(store));
    await store.close();
    const again = sqliteStore({ path });
    say(await contents(again));
    await again.close();
    const client = new Database(path);
    say(client.pragma('integrity_check', { simple: true }) as string);
    client.close();
  },

  /** Backs up to a disk that is too small for the copy; `argument` is its folder. */
  async 'back-up'(path, folder) {
    const store = sqliteStore({ path });
    say(await outcome(store.backup(join(folder, 'copy.db'))));
    say(`left: ${readdirSync(folder).join()}`);
    await store.close();
  },

  /** Makes a store on a disk that is full already. */
  async make(path) {
    fillUp(join(dirname(path), 'ballast'));
    say(await outcome(Promise.resolve().then(() => sqliteStore({ path }).close())));
  },
};

function fillUp(ballast: string): void {
  const handle = openSync(ballast, 'w');
  try {
    for (;;) writeSync(handle, Buffer.alloc(512));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

async function appendUntilFull(store: Store): Promise<number> {
  for (let n = 0; ; n += 1) {
    const id = `m${n}`;
    const messages = [
      message(id, { content: 'x'.repeat(20_000) }),
      message(`${id}b`, { content: 'y'.repeat(20_000) }),
    ];
    const refused = await store.append(t, 0, { messages, toolCalls: [call(id)], runs: [run(id)] }).then(
      () => null,
      (error: RunError) => error,
    );
    if (refused === null) continue;
    say(`append: ${refused.code} ${refused.message}`);
    return n;
  }
}

const large = 'z'.repeat(400_000);

function listWrites(store: Store): [name: string, write: () => Promise<unknown>][] {
  return [
    ['setValue', () => store.setValue(t, 0, { key: 'k', value: large })],
    ['writeFile', () => store.writeFile(t, 0, { ...file('f', []), data: new Uint8Array(400_000) })],
    ['post', () => store.post(t, { id: 'q', kind: 'message', payload: { large } })],
    ['updateMessage', () => store.updateMessage(t, 0, { id: 'm0', fields: { content: large } })],
  ];
}

function outcome(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'done',
    (error: RunError) => `${error.code} ${error.message}`,
  );
}

/** How much of what is in the file, as JSON. */
async function contents(store: Store): Promise<string> {
  const messages = await store.listMessages(t);
  const calls = (await store.listToolCalls(t)).length;
  const runs = (await store.listRuns()).length;
  const others = [await store.listValues(t), await store.listFiles(t), await store.listQueue(t)].flat()
    .length;
  const first = messages[0]?.content?.length;
  return JSON.stringify({ messages: messages.length, calls, runs, others, first });
}
