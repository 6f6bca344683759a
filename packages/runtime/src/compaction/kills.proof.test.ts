import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { bundleProgram } from '../../test/bundle-program.ts';
import { compactedTurn, sendWhereFree } from '../../test/compacted-turn.ts';
import { newFile } from '../../test/kit.ts';
import { openLasting } from '../../test/lasting-store.ts';
import { startRuntime } from '../../test/start-runtime.ts';
import { type StoredThread, storedThread } from '../../test/stored-thread.ts';

const program = await bundleProgram('compaction-process');

/** Has a process of its own run the turn, and die before or after it stores a summary. Gives the signal that it died of. */
async function runAndDie(path: string, summary: number, when: string): Promise<unknown> {
  const child = spawn(process.execPath, [program, path, `${summary}`, when], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  return signal ?? code;
}

/** Runs the turn to its end in this process, from where another one has left it. */
async function finish(path: string): Promise<{ left: StoredThread; stored: StoredThread }> {
  const store = openLasting(path);
  const left = await storedThread(store, 't');
  const { runtime } = startRuntime(store, compactedTurn());
  const isThere = (await store.getThread('t')) !== null;
  const thread = await (isThere
    ? runtime.openThread('t')
    : runtime.createThread({ agent: 'agent', id: 't' }));
  await sendWhereFree(thread);
  await thread.idle();
  const stored = await storedThread(store, 't');
  await runtime.close();
  await store.close();
  return { left, stored };
}

const summariesIn = ({ messages }: StoredThread): number =>
  messages.filter((message) => 'summary_through' in message).length;

test('killed before or after a summary is stored: the same thread comes out', async () => {
  const { stored: whole } = await finish(newFile());
  const count = summariesIn(whole);
  expect(count).toBeGreaterThanOrEqual(2);
  const dieAndFinish = async (summary: number, when: 'before' | 'after'): Promise<void> => {
    const path = newFile();
    expect(await runAndDie(path, summary, when)).toBe('SIGKILL');
    const { left, stored } = await finish(path);
    expect(summariesIn(left)).toBe(when === 'before' ? summary - 1 : summary);
    expect(stored, `${when} summary ${summary}`).toEqual(whole);
  };
  for (const summary of [1, 2, count])
    await Promise.all([dieAndFinish(summary, 'before'), dieAndFinish(summary, 'after')]);
}, 120_000);
