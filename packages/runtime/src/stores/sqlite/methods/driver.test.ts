import { expect, test } from 'vitest';
import { tempFiles } from '../../../../test/sqlite/temp-files.ts';
import { run, t, thread } from '../../../testing/store-suite-samples.ts';
import { createStore } from '../../derive/index.ts';
import { openCommits } from '../file/commits.ts';
import { openConnection } from '../file/open.ts';
import { checkSqliteOptions } from '../file/options.ts';
import { prepareTables } from '../tables/tables.ts';
import { rowsDriver } from './driver.ts';

const newFile = tempFiles();

test('the pages of the ledger have the runs of all threads, as its index finds them', async () => {
  const settings = checkSqliteOptions({ path: newFile() });
  const connection = openConnection(settings);
  const driver = rowsDriver({
    tables: prepareTables(connection),
    commits: openCommits(connection, settings),
  });
  const { listRuns, ...withoutIndex } = driver;
  const store = createStore(driver);
  for (const id of [t, 'other']) await store.createThread(thread({ id }));
  for (let at = 0; at < 2_400; at += 300) {
    const threadId = at % 600 === 0 ? t : 'other';
    const runs = Array.from({ length: 300 }, (_, more) => run(`r${more % 2}`, { threadId, at: at + more }));
    await store.append(threadId, 0, { runs });
  }
  for (const filter of [{}, { threadId: t }, { id: 'r1', limit: 700 }, { threadId: 'nobody' }])
    expect(await createStore(withoutIndex).listRuns(filter)).toEqual(await store.listRuns(filter));
  await store.close();
});
