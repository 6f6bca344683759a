import { copyFileSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { tempFiles } from '../../../../test/sqlite/temp-files.ts';
import { run, t, thread } from '../../../testing/store-suite-samples.ts';
import type { LedgerEntry, Store } from '../../store.ts';
import { sqliteStore } from '../index.ts';

const newFile = tempFiles();
const appends = 4_500;

const filled = newFile();
let all: readonly LedgerEntry[];

/** Thousands of appends with three runs each, at 10, 20, 30, …; the last three runs of one are a row that times cut through. */
beforeAll(async () => {
  const store = sqliteStore({ path: filled, synchronous: 'NORMAL' });
  await store.createThread(thread());
  const pending = Array.from({ length: appends }, (_, n) => {
    const runs = [0, 1, 2].map((i) => run(`run-${n}-${i}`, { at: (n * 3 + i + 1) * 10 }));
    return store.append(t, 0, { runs });
  });
  await Promise.all(pending);
  all = await store.listRuns();
  await store.close();
});

function openLedger(): Store {
  const path = newFile();
  copyFileSync(filled, path);
  return sqliteStore({ path, synchronous: 'NORMAL' });
}

test('pruning by age takes exactly the old runs out of a long ledger', { timeout: 30_000 }, async () => {
  const store = openLedger();
  const before = 10 * (3 * 2_345 + 2); // the second of three
  expect(await store.pruneRuns({ before })).toBe(3 * 2_345 + 1);
  expect(await store.listRuns()).toEqual(all.slice(3 * 2_345 + 1));
  await store.close();
});

test('pruning by size keeps the newest runs of about that size', { timeout: 30_000 }, async () => {
  const store = openLedger();
  const gone = await store.pruneRuns({ keepBytes: 200_000 });
  const left = await store.listRuns();
  expect(left).toEqual(all.slice(gone));
  const bytes = Buffer.byteLength(JSON.stringify(left.map((entry) => Object.values(entry).slice(3))));
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(300_000);
  await store.close();
});

test('pruning again and again finds what has become old since', { timeout: 30_000 }, async () => {
  const store = openLedger();
  for (const before of [0, 20_000, 20_000, 45_005, 90_000]) {
    await store.pruneRuns({ before });
    const left = await store.listRuns();
    expect(left.map(({ id }) => id)).toEqual(all.filter(({ at }) => at >= before).map(({ id }) => id));
  }
  await store.append(t, 0, { runs: [run('late', { at: 5 }), run('later', { at: 200_000 })] }); // such as an imported one
  expect(await store.pruneRuns({ before: 90_000 })).toBe(1);
  expect((await store.listRuns()).at(-1)?.id).toBe('later');
  await store.close();
});

test('turns go on while a ledger is pruned', { timeout: 30_000 }, async () => {
  const store = openLedger();
  for (const retention of [{ before: 3 * appends * 5 }, { keepBytes: 0 }]) {
    let done = false;
    const pruning = store.pruneRuns(retention).finally(() => {
      done = true;
    });
    let turns = 0;
    for (; !done; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(await pruning).toBeGreaterThan(appends);
    expect(turns).toBeGreaterThan(3);
  }
  await store.close();
});

test('data that goes with its runs leaves no byte', async () => {
  const path = newFile();
  const store = sqliteStore({ path });
  await store.createThread(thread());
  const values = { before: 'T0P-SECRET' };
  const bytes = () => readFileSync(path, 'latin1') + readFileSync(`${path}-wal`, 'latin1');
  for (const retention of [{ before: 50 }, { keepBytes: 0 }]) {
    await store.append(t, 0, { runs: [run('r', { at: 10, values }), run('s', { at: 100 })] });
    expect(bytes()).toContain('T0P-SECRET');
    await store.pruneRuns(retention);
    expect(bytes()).not.toContain('T0P-SECRET');
  }
  await store.close();
});
