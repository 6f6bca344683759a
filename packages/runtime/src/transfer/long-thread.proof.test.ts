import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isSample } from '@spec/test-helpers';
import { expect, test } from 'vitest';
import { tempFiles } from '../../test/sqlite/temp-files.ts';
import { sqliteStore } from '../stores/sqlite/index.ts';
import { call, message, run, thread } from '../testing/store-suite-samples.ts';
import { exportThread, importThread } from './index.ts';

const newFile = tempFiles();
const owner = 'test';
const root = 'root';

const COUNT = isSample ? 10_000 : 50_000;

test('a long thread goes both ways in little memory', { timeout: 120_000 }, async () => {
  const source = sqliteStore({ path: newFile(), synchronous: 'NORMAL' });
  const target = sqliteStore({ path: newFile(), synchronous: 'NORMAL' });
  await source.createThread(thread({ id: root }));
  for (let from = 0; from < COUNT; from += 1_000) {
    const ids = Array.from({ length: 1_000 }, (_, n) => `m${from + n}`);
    await source.append(root, 0, {
      messages: ids.map((id) => message(id, { content: `${id} `.repeat(100) })),
      toolCalls: ids.map((id) => call(id)),
      runs: ids.map((id) => run(id, { threadId: root })),
    });
  }
  let most = 0;
  const before = heapAfterCollection();
  const watched = async function* () {
    let lines = 0;
    for await (const line of exportThread(source, root)) {
      lines += 1;
      if (lines % (COUNT / 2) === 0) most = Math.max(most, heapAfterCollection() - before);
      yield line;
    }
  };
  await importThread(target, watched(), { owner });
  expect(await target.countMessages(root)).toBe(COUNT);
  expect(most).toBeLessThan(15_000_000); // the lines of 50,000 messages are about 60 MB
  await Promise.all([source.close(), target.close()]);
});

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
