import { describe, expect, test } from 'vitest';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import { message, t, thread } from '../../src/testing/store-suite-samples.ts';
import { onSmallDisk, type SmallDisk } from './small-disk.ts';
import { tempFiles } from './temp-files.ts';

const newFile = tempFiles();

describe('on a small disk', { timeout: 60_000 }, () => {
  test('a full disk refuses every write, keeps what was stored, and takes more once there is room', ({
    skip,
  }) => {
    const said = run(skip, { kilobytes: 3_000, args: ['fill', '$DISK/store.db'] });
    const full =
      /^\w+: store_failed store \/.*store\.db: the disk is full \(SQLITE_FULL\); make room and try again$/;
    const refusals = said.filter((line) => full.test(line)).map((line) => line.split(':')[0]);
    expect(refusals).toEqual(['append', 'setValue', 'writeFile', 'post', 'updateMessage']);
    const appends = Number(said.find((line) => line.startsWith('appends: '))?.slice(9));
    expect(appends).toBeGreaterThan(10);
    const [before, after, reopened] = said
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(before).toEqual({
      messages: 2 * appends,
      calls: appends,
      runs: appends,
      others: 0,
      first: 20_000,
    });
    const more = { messages: 2 * appends + 1, calls: appends + 1, runs: appends + 1 };
    expect(after).toEqual({ ...before, ...more });
    expect(reopened).toEqual(after);
    expect(said.at(-1)).toBe('ok');
  });

  test('no store can be made on a full one', ({ skip }) => {
    const [said] = run(skip, { kilobytes: 1_000, args: ['make', '$DISK/store.db'] });
    expect(said).toMatch(/^store_failed .*store\.db: the disk is full/);
  });

  test('no store can be opened on one that is read-only', ({ skip }) => {
    const prepare = 'touch "$DISK/store.db" && mount -o remount,ro "$DISK"';
    const [said] = run(skip, { kilobytes: 1_000, prepare, args: ['open', '$DISK/store.db'] });
    expect(said).toMatch(/^store_unreadable .*may not be written.*not mounted read-only/);
  });

  test('no half backup is left on one that is too small', async ({ skip }) => {
    const path = newFile();
    const store = sqliteStore({ path });
    await store.createThread(thread());
    await store.append(t, 0, { messages: [message('m1', { content: 'x'.repeat(2_000_000) })] });
    await store.close();
    const [said, left] = run(skip, { kilobytes: 1_000, args: ['back-up', path, '$DISK'] });
    expect(said).toMatch(/^store_failed store \/.*copy\.db: the disk is full/);
    expect(left).toBe('left: ');
  });
});

/** Runs a process on a small disk; skips the test where this machine has none to give. */
function run(skip: (reason: string) => never, disk: SmallDisk): string[] {
  return onSmallDisk(disk) ?? skip('this machine allows no mount namespaces (unshare -rm)');
}
