import { closeSync, mkdtempSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { whileLocked } from './lock.ts';
import { type SpooledEvent, type SpooledRun, spoolEvent, takeSpool } from './spool.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'));
});

const makeEvent = (session: string): SpooledEvent => ({
  ...{ agent: 'codex', session },
  runs: [{ id: 'guard' } as unknown as SpooledRun],
});

function takeSessions(): string[] {
  const pieces = takeSpool(folder);
  const sessions = pieces.flatMap(({ events }) => events.map(({ session }) => session));
  for (const { remove } of pieces) remove();
  return sessions.sort();
}

test('gives each event once, and leaves nothing behind', () => {
  for (const session of ['a', 'b']) spoolEvent(folder, makeEvent(session));
  expect(takeSessions()).toEqual(['a', 'b']);
  expect([takeSessions(), readdirSync(folder)]).toEqual([[], []]);
});

test('what is being added while the spool is taken is there the next time, however long it takes', () => {
  const lock = join(folder, 'runs.lock');
  whileLocked(lock, () => {
    const file = openSync(join(folder, 'runs.jsonl'), 'a');
    expect(takeSessions()).toEqual([]);
    // Another process does not wait for it.
    spoolEvent(folder, makeEvent('beside'));
    expect(takeSessions()).toEqual(['beside']);
    writeSync(file, `${JSON.stringify(makeEvent('late'))}\n`);
    closeSync(file);
  });
  expect(takeSessions()).toEqual(['late']);
});

test('a lock of a process that was killed is taken away, and one of another machine is not', () => {
  spoolEvent(folder, makeEvent('a'));
  const lock = join(folder, 'runs.lock');
  writeFileSync(lock, '2147483646 elsewhere 1');
  expect(takeSessions()).toEqual([]);
  writeFileSync(lock, `2147483646 ${hostname()} 2`);
  spoolEvent(folder, makeEvent('b'));
  expect(takeSessions()).toEqual(['a', 'b']);
  expect(readdirSync(folder)).toEqual([]);
});
