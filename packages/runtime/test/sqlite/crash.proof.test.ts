import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import { call, t, thread } from '../../src/testing/store-suite-samples.ts';
import { spawnChild } from './spawn-child.ts';
import { tempFiles } from './temp-files.ts';

const newFile = tempFiles();
const killsPerFile = 10;

test.concurrent.for([1, 2, 3])(
  'a killed process loses nothing it acknowledged and stores nothing twice (file %i)',
  { timeout: 120_000 },
  async () => {
    const path = newFile();
    await makeThread(path);
    const known: Known = { '+': new Set(), '?': new Set(), '-': new Set() };
    let next = 0;
    for (let kill = 0; kill < killsPerFile; kill += 1) {
      const said = await runAndKill(path, next);
      expect(said.length).toBeGreaterThan(0);
      for (const line of said) known[line[0] as keyof Known].add(Number(line.slice(1)));
      next = await checkFile(path, known);
    }
    expect(known['+'].size).toBeGreaterThan(killsPerFile);
  },
);

/** What a writer said: stored, about to be deleted, deleted. */
type Known = Record<'+' | '?' | '-', Set<number>>;

async function makeThread(path: string): Promise<void> {
  const store = sqliteStore({ path });
  await store.createThread(thread());
  await store.close();
}

/** Kills a writer at a random moment of its first 60 ms of writing; gives what it had acknowledged. */
async function runAndKill(path: string, next: number): Promise<string[]> {
  const child = spawnChild(['append', path, String(next)]);
  await child.spoke;
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
  child.process.kill('SIGKILL');
  return child.ended;
}

/** Checks what is in the file against what was acknowledged; gives the number of the next message. */
async function checkFile(path: string, known: Known): Promise<number> {
  checkIntegrity(path);
  const store = sqliteStore({ path });
  const ids = (await store.listMessages(t)).map(({ id }) => id);
  const numbers = ids.map((id) => Number(id.slice(1)));
  const there = new Set(numbers);
  expect(numbers).toEqual([...there].sort((a, b) => a - b));
  expect([...known['+']].filter((n) => !there.has(n) && !known['?'].has(n))).toEqual([]);
  expect([...known['-']].filter((n) => there.has(n))).toEqual([]);
  expect(await store.listToolCalls(t)).toEqual(ids.map((id) => call(id)));
  expect((await store.listRuns({ threadId: t, id: 'redact' })).length).toBe((numbers.at(-1) ?? -1) + 1);
  await store.close();
  return (numbers.at(-1) ?? -1) + 1;
}

function checkIntegrity(path: string): void {
  const client = new Database(path);
  expect(client.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(client.pragma('foreign_key_check')).toEqual([]);
  client.close();
}
