import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteStore } from '@spec/runtime/sqlite';
import { describe, expect, test } from 'vitest';
import { folder, lines, replaySummary, storedContents, talk, writeInput } from './recorded-talks.ts';
import { startCli, waitForResult } from './run-cli.ts';

/** Enough to be in the middle of it after the first twenty. */
const TALKS = 120;

describe('an interrupted replay', { timeout: 120_000 }, () => {
  const many = lines(...Array.from({ length: TALKS }, (_, i) => talk(`talk-${i}`, `user${i}@example.com`)));

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'by %s is finished by running it again, without duplicates',
    async (signal) => {
      const db = join(folder(), 'out.db');
      const input = writeInput(many);
      const child = startCli(['replay', input, '--db', db, '--json']);
      const ended = waitForResult(child);
      await untilSomeAreStored(db);
      child.kill(signal);
      const { code, stdout } = await ended;
      if (signal === 'SIGINT')
        expect({ code, interrupted: JSON.parse(stdout).interrupted }).toEqual({
          code: 130,
          interrupted: true,
        });
      const again = await replaySummary([input, '--db', db]);
      expect(again.code).toBe(0);
      expect(again.conversations.there).toBeGreaterThan(0);
      expect(again.conversations.replayed).toBeGreaterThan(0);
      expect(again.messages).toEqual({ recorded: 5 * TALKS, stored: 5 * TALKS });
      expect(await storedContents(db, `talk-${TALKS - 1}`)).toHaveLength(5);
    },
  );
});

async function untilSomeAreStored(db: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const stored = await countThreads(db).catch(() => 0);
    if (stored > 20) return;
  }
  throw new Error('nothing was stored within 12 s');
}

async function countThreads(db: string): Promise<number> {
  if (!existsSync(db)) return 0;
  const store = sqliteStore({ path: db });
  const threads = await store.listThreads();
  await store.close();
  return threads.length;
}
