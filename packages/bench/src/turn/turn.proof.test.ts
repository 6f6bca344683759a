import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inFolder } from '../scratch.ts';
import type { Contender } from './contender.ts';
import { learnTurn, readRows } from './learned.ts';
import * as ours from './ours.ts';
import { findModule, findPeers } from './peers.ts';
import { race } from './race.ts';
import * as byRows from './rows.ts';
import * as sideBySide from './side-by-side.ts';
import { RESULT, redacted } from './workload.ts';

const LENGTH = 8;
const TURNS = 3;

/** The rows of a file after some turns on a thread. */
async function rowsAfter({ connect }: Contender, folder: string) {
  mkdirSync(folder);
  const connection = await connect({ folder, synchronous: 'NORMAL' });
  const turn = await connection.thread(LENGTH);
  for (let done = 0; done < TURNS; done++) await turn();
  await connection.close();
  const path = join(folder, ours.FILE);
  return Object.fromEntries(['messages', 'hook_runs'].map((table) => [table, readRows(path, table)]));
}

describe('a turn', () => {
  test('has a result of 200 bytes, with a card number that is redacted', () => {
    expect(Buffer.byteLength(RESULT)).toBe(200);
    expect(redacted(RESULT)).toContain('[CARD]');
  });

  test('of ours stores four messages: stamped, redacted, with a call that is done and the runs of four hooks', async () => {
    const rows = await inFolder((folder) => rowsAfter(ours, join(folder, 'ours')));
    const messages = rows.messages?.slice(LENGTH) ?? [];
    const roles = ['user', 'assistant', 'tool', 'assistant'];
    expect(messages.map(({ role }) => role)).toEqual(Array.from({ length: TURNS }, () => roles).flat());
    for (const { metadata } of messages) expect(metadata).toContain('flow_id');
    expect(messages[2]?.content).toBe(redacted(RESULT));
    const calls = messages.flatMap(({ calls }) => (calls === null ? [] : JSON.parse(String(calls))));
    expect(calls.map(([, , name, status]: unknown[]) => [name, status])).toEqual(
      Array.from({ length: TURNS }, () => ['get_order', 2]),
    );
    const runs = JSON.stringify(rows.hook_runs);
    for (const id of ['limit_to_20_messages', 'redact_cards', 'stamp_metadata', 'log_tool_calls_success'])
      expect(runs).toContain(id);
  });

  test.each([
    ['by hand', byRows],
    ['in memory with its rows by hand', sideBySide],
  ])('%s stores as many rows, of the same size', async (_, contender) => {
    const [byOurs, byHand] = await inFolder(async (folder) => [
      await rowsAfter(ours, join(folder, 'ours')),
      await rowsAfter(contender, join(folder, 'other')),
    ]);
    for (const table of ['messages', 'hook_runs']) {
      const [expected = [], got = []] = [byOurs[table], byHand[table]];
      expect(got.length, table).toBe(expected.length);
      expect(Math.abs(measureSize(got) / measureSize(expected) - 1), table).toBeLessThan(0.05); // The ids of calls are numbered on, and get a digit longer.
    }
  });

  test('is learned by message, and nothing is left out', async () => {
    const turn = await inFolder((folder) => learnTurn(join(folder, 'learned')));
    expect(turn.map(({ message }) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(turn.flatMap(({ hookRuns }) => hookRuns).length).toBeGreaterThan(0);
  });
});

function measureSize(rows: readonly Record<string, unknown>[]): number {
  const texts = rows.flatMap((row) => Object.values(row).filter((value) => typeof value === 'string'));
  return texts.join('').length;
}

const execArgv = ['--conditions=@spec/source', '--import', import.meta.resolve('tsx')];

test('contenders race in processes of their own, several threads at once too', {
  timeout: 60_000,
}, async () => {
  const where = { length: LENGTH, synchronous: 'NORMAL' } as const;
  const figures = await race(
    {
      ours: { module: new URL('./ours.ts', import.meta.url), ...where, atOnce: 2 },
      floor: { module: new URL('./floor.ts', import.meta.url), ...where },
    },
    { rounds: 2, milliseconds: 5, warmUp: { ...where, milliseconds: 5 }, execArgv },
  );
  expect(Object.keys(figures)).toEqual(['ours', 'floor']);
  for (const rounds of Object.values(figures)) expect(rounds.filter((rate) => rate > 0)).toHaveLength(2);
});

test('a contender that fails is named', { timeout: 60_000 }, async () => {
  const where = { length: 1, synchronous: 'NORMAL' } as const;
  const missing = { module: new URL('./no-such-module.ts', import.meta.url), ...where };
  await expect(race({ missing }, { rounds: 1, execArgv })).rejects.toThrow(
    'missing did not finish its turns',
  );
});

test('peers that do not run are told of, and every one has its module', () => {
  const { present, notes } = findPeers(false);
  expect(present).toEqual([]);
  expect(notes).toHaveLength(5);
  for (const note of notes) expect(note).toContain('npm run bench -- --peers');
  expect(findModule({ name: '', module: 'pi.mjs', needs: '', atLeast: {} }).pathname).toMatch(
    /bench\/peers\/pi\.mjs$/,
  );
});
