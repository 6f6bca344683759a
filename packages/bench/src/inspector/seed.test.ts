import { join } from 'node:path';
import { sqliteReader } from '@spec/runtime/sqlite';
import { expect, test } from 'vitest';
import { inFolder } from '../scratch.ts';
import { seedStore } from './seed.ts';

test('a seeded file is one of the store: threads, turns, runs about messages, and times up to now', async () => {
  await inFolder(async (folder) => {
    const until = 1_790_000_000_000_000;
    const path = join(folder, 'seeded.db');
    const seeded = await seedStore(path, { messages: 8_000, until });
    expect(seeded).toMatchObject({ messages: 8_000, runs: 40_000 });
    const records = sqliteReader({ path });
    const day = 86_400_000_000;
    const sums = await records.stats();
    expect(sums.reduce((all, { runs }) => all + runs, 0)).toBe(40_000);
    const half = await records.stats({ since: until - 15 * day, until });
    const share = half.reduce((all, { runs }) => all + runs, 0) / 40_000;
    expect(share).toBeGreaterThan(0.49);
    expect(share).toBeLessThan(0.51);
    const [message] = await records.messages(seeded.longThread, { size: 1, clip: 100 });
    expect(message?.createdAt).toBeLessThanOrEqual(until);
    const { items } = await records.turns(seeded.longThread, { size: 1 });
    expect(items).toMatchObject([{ runs: 20, toolCalls: 1, modelCalls: 2, end: { status: 'completed' } }]);
    const { runs } = await records.turn(seeded.longThread, items[0]?.turnId ?? '');
    expect(runs.map(({ about }) => about)).toContainEqual({ message: message?.id });
    await records.close();
  });
});
