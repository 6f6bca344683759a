import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder } from '../scratch.ts';
import * as ours from './ours.ts';

/** A page in the write-ahead log, with its header. */
const FRAME = 4_096 + 24;

const TURNS = 40;

test('a turn touches few pages: what a commit costs is the number of pages that it touches', async () => {
  const pages = await inFolder(async (folder) => {
    mkdirSync(folder, { recursive: true });
    const connection = await ours.connect({ folder, synchronous: 'NORMAL' });
    const turn = await connection.thread(100);
    await turn();
    const length = (): number => statSync(join(folder, `${ours.FILE}-wal`)).size / FRAME;
    const before = length();
    for (let done = 0; done < TURNS; done++) await turn();
    const touched = (length() - before) / TURNS;
    await connection.close();
    return touched;
  });
  expect(pages).toBeLessThan(24); // 22.4: four of each message, two marks of the turn, two sums of tokens, and new pages
});
