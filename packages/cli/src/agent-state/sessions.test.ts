import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type KeptSession, openSession } from './sessions.ts';

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-sessions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** As each process that answers an event has one of its own. */
function openAll(folder: string, count: number): readonly KeptSession[] {
  return Array.from({ length: count }, () => openSession(folder, 'codex s1'));
}

const read = (folder: string, key: string): Promise<unknown> =>
  openSession(folder, 'codex s1').values.getValue(key);

async function addOne({ values }: KeptSession): Promise<void> {
  for (;;) {
    const value = await values.getValue('count');
    const next = { key: 'count', value: Number(value ?? 0) + 1 };
    if (await values.setValuesIf({ key: 'count', value }, [next])) return;
  }
}

test('a value that is set where it is still as it was read counts every event, whoever answers', async () => {
  const folder = stateFolder();
  const sessions = openAll(folder, 20);
  await Promise.all(sessions.map(addOne));
  await Promise.all(sessions.map((session) => session.save()));
  expect(await read(folder, 'count')).toBe(20);
});

test('events of a session that are answered at once keep the values of each other', async () => {
  const folder = stateFolder();
  const [one, two] = openAll(folder, 2) as [KeptSession, KeptSession];
  await one.values.setValue('a', 1);
  await two.values.setValue('b', { c: 2 });
  two.keptGoing = 3;
  await two.save();
  await one.save();
  expect([await read(folder, 'a'), await read(folder, 'b')]).toEqual([1, { c: 2 }]);
  expect(openSession(folder, 'codex s1').keptGoing).toBe(3);
});

test('what is set and not yet kept is compared with, and a value can be taken away', async () => {
  const folder = stateFolder();
  const session = openSession(folder, 'codex s1');
  await session.values.setValue('a', [1]);
  expect(await session.values.setValuesIf({ key: 'a', value: [2] }, [{ key: 'b', value: 1 }])).toBe(false);
  expect(await session.values.setValuesIf({ key: 'a', value: [1] }, [{ key: 'a', value: null }])).toBe(true);
  await session.save();
  expect([await read(folder, 'a'), await read(folder, 'b')]).toEqual([undefined, undefined]);
});

test('a lock of a process that has ended is no obstacle, and neither is a folder that cannot be written', async () => {
  const folder = stateFolder();
  const session = openSession(folder, 'codex s1');
  await addOne(session);
  const [file = ''] = readdirSync(folder);
  writeFileSync(join(folder, file.replace('.json', '.lock')), `${2 ** 30} ${hostname()} x`);
  await addOne(session);
  expect([await read(folder, 'count'), readdirSync(folder)]).toEqual([2, [file]]);
  const nowhere = openSession(join(folder, file), 'codex s1');
  await addOne(nowhere);
  await nowhere.save();
  expect(await nowhere.values.getValue('count')).toBe(1);
});
