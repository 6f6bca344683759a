import { expect, test } from 'vitest';
import { judge } from '../src/judge.ts';
import type { Ability, Subject, Trial } from '../src/subject.ts';
import { ourRuntime } from './our-runtime.ts';

/** A runtime that does nothing at all, and says that it can do everything. */
function nothing(abilities: readonly Ability[]): Subject {
  const none = async (): Promise<void> => {};
  const trial: Trial = {
    threadId: 't',
    send: async () => ({ status: 'completed', text: null }),
    messages: async () => [],
    sent: () => [],
    streamed: () => '',
    runs: async () => [],
    subagents: async () => [],
    told: async () => '',
    ...{ inject: none, queue: none, update: none, stop: none, compact: none, notify: none },
    ...{ openAgain: none, reopen: async () => trial, crashAndResume: async () => trial, close: none },
  };
  return { name: 'nothing', abilities, open: async () => trial };
}

test('no case passes where nothing happens', { timeout: 120_000 }, async () => {
  const { verdicts } = await judge(nothing(ourRuntime('memory').abilities), {
    concurrency: 200,
    timeLimit: 500,
  });
  expect(verdicts.filter(({ outcome }) => outcome !== 'failed').map(({ id }) => id)).toEqual([]);
});
