import { fdatasync, fdatasyncSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempFiles } from '../../../../test/sqlite/temp-files.ts';
import { message, thread } from '../../../testing/store-suite-samples.ts';
import { sqliteStore } from '../index.ts';
import { type Disk, type LogSync, logSync } from './log-sync.ts';

const newFile = tempFiles();

/** A real disk that answers when it is told to. */
function slowDisk() {
  const held: (() => void)[] = [];
  let syncedAtOnce = 0;
  let now = 0;
  const disk: Disk = {
    now: () => now,
    fdatasync: (file, done) =>
      void held.push(() => {
        fdatasyncSync(file);
        done(null);
      }),
    fdatasyncSync(file) {
      syncedAtOnce++;
      fdatasyncSync(file);
    },
  };
  return {
    disk,
    held,
    /** Answers the sync that waits longest, so long after it began. */
    answer(milliseconds: number) {
      now += milliseconds;
      held.shift()?.();
    },
    get syncedAtOnce() {
      return syncedAtOnce;
    },
  };
}

function opened(disk?: Disk) {
  const path = newFile();
  for (const name of [path, `${path}-wal`]) writeFileSync(name, '');
  const log = logSync({ path, synchronous: 'FULL' }, disk);
  const told: string[] = [];
  return { path, log, told, commit: (name: string, isAlone = false) => commit(log, told, name, isAlone) };
}

function commit(log: LogSync, told: string[], name: string, isAlone: boolean): void {
  log.whenStored(
    { stored: () => void told.push(name), failed: (error) => void told.push(`${name}: ${error}`) },
    isAlone,
  );
}

describe('a commit', () => {
  test('is acknowledged after a sync that began after it; those that come meanwhile share the next one', () => {
    const { disk, held } = slowDisk();
    const { commit, told } = opened(disk);
    commit('first');
    commit('second');
    commit('third');
    expect(told).toEqual([]);
    held[0]?.();
    expect(told).toEqual(['first']);
    held[1]?.();
    expect([told, held.length]).toEqual([['first', 'second', 'third'], 2]);
  });

  test('that is alone waits for a disk that has been fast, and for a slow one in a thread', () => {
    const slow = slowDisk();
    const { commit, told } = opened(slow.disk);
    commit('first', true);
    slow.answer(3);
    commit('second', true);
    expect([told, slow.syncedAtOnce, slow.held.length]).toEqual([['first'], 0, 1]);
    slow.answer(0.6);
    commit('third', true);
    expect([told, slow.syncedAtOnce]).toEqual([['first', 'second', 'third'], 1]);
  });

  test('is told when the store closes while its sync is under way', async () => {
    const { disk, held } = slowDisk();
    const { log, commit, told } = opened(disk);
    commit('first');
    commit('second');
    log.finish();
    log.close();
    expect(told).toEqual(['first', 'second']);
    held[0]?.();
    expect([told.length, held.length]).toEqual([2, 1]);
  });

  test('is acknowledged at once under NORMAL', () => {
    const told: string[] = [];
    commit(logSync({ path: newFile(), synchronous: 'NORMAL' }), told, 'first', false);
    expect(told).toEqual(['first']);
  });
});

test('a store that is opened by a link has its log beside the file that the link leads to', async () => {
  const path = newFile();
  const link = newFile();
  await sqliteStore({ path }).close();
  symlinkSync(path, link);
  const store = sqliteStore({ path: link });
  await store.createThread(thread());
  expect(await store.getThread(thread().id)).not.toBeNull();
  await store.close();
});

describe('a disk that does not confirm', () => {
  const failure = Object.assign(new Error('with a path in it'), { code: 'EIO' });

  test('refuses the commit and all later ones: the next sync would succeed without what was lost', () => {
    let syncs = 0;
    const { log, commit, told } = opened({
      fdatasync(file, done) {
        if (++syncs === 1) done(failure);
        else fdatasync(file, done);
      },
      fdatasyncSync,
      now: () => 0,
    });
    log.assertSound();
    commit('first');
    expect(told).toEqual([expect.stringMatching(/^first: .*did not confirm.*\(EIO\).*open it again$/)]);
    expect(() => log.assertSound()).toThrow(expect.objectContaining({ code: 'store_failed' }));
    log.finish();
    log.close();
  });

  test('a store whose log was removed stores nothing more, says so, and can be opened again', async () => {
    const path = newFile();
    const store = sqliteStore({ path });
    rmSync(`${path}-wal`);
    const refusal = { code: 'store_failed' };
    await expect(store.createThread(thread())).rejects.toMatchObject(refusal);
    await expect(store.createThread({ ...thread(), id: 'next' })).rejects.toMatchObject(refusal);
    await store.close();
    const again = sqliteStore({ path });
    expect(await again.getThread('next')).toBeNull();
    await again.createThread({ ...thread(), id: 'next' });
    await again.append('next', 0, { messages: [message('m1')] });
    expect(await again.listMessages('next')).toHaveLength(1);
    await again.close();
  });
});
