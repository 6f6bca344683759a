import { describe, expect, test } from 'vitest';
import { compactedTurn, sendWhereFree } from '../../test/compacted-turn.ts';
import { createKit, newFile } from '../../test/kit.ts';
import { type Death, Mortality } from '../../test/mortal-store.ts';
import type { Setup } from '../../test/start-runtime.ts';
import { storedThread } from '../../test/stored-thread.ts';
import { memoryStore, type Store } from '../index.ts';
import { sqliteStore } from '../stores/sqlite/index.ts';
import { type Journal, journalEngine } from '../testing/index.ts';

interface Lives {
  readonly store: Store;
  readonly death?: Omit<Death, 'onDeath'>;
  readonly journal?: Journal;
}

/** Runs the turn in one process, and where that dies, goes on with it in another. */
async function live({ store, death, journal }: Lives): Promise<{ result: unknown; writes: number }> {
  let tell: () => void = () => {};
  const died = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const mortality = new Mortality(death === undefined ? undefined : { ...death, onDeath: tell });
  const setup = (): Setup => {
    const engine = journal === undefined ? {} : { engine: journalEngine({ journal }) };
    return { ...compactedTurn(), ...engine };
  };
  const begun = createKit(mortality.storeOf(store)).start(setup());
  const beginning = begun.runtime.createThread({ agent: 'agent', id: 't' }).then(sendWhereFree);
  await Promise.race([beginning, died]);
  const again = createKit(store).start(setup());
  const isThere = (await store.getThread('t')) !== null;
  const thread = isThere
    ? await again.runtime.openThread('t')
    : await again.runtime.createThread({ agent: 'agent', id: 't' });
  await sendWhereFree(thread);
  await thread.idle();
  const record = await store.getThread('t');
  expect(record?.turn).toBeNull();
  const result = [record?.compaction, await storedThread(store, 't')];
  await again.runtime.close();
  return { result, writes: mortality.writes };
}

const inMemory = (): Lives => ({ store: memoryStore() });
const remembering = (): Lives => ({ store: memoryStore(), journal: new Map() });
const inFile = (): Lives => ({ store: sqliteStore({ path: newFile(), synchronous: 'NORMAL' }) });

describe('wherever the process dies, the same summaries come out', () => {
  test.each([
    { name: 'with the embedded engine', begin: inMemory, every: 1 },
    { name: 'with an engine that remembers every step', begin: remembering, every: 1 },
    { name: 'in a file', begin: inFile, every: 4 },
  ])('$name', { timeout: 120_000 }, async ({ begin, every }) => {
    const whole = await live(begin());
    expect(whole.result).toMatchObject([{ summaryId: expect.stringMatching(/^turn\.\d\.summary$/) }, {}]);
    expect(JSON.stringify(whole.result).match(/"summary_through"/g)?.length).toBeGreaterThanOrEqual(2);
    for (let atWrite = 1; atWrite <= whole.writes; atWrite += every) {
      for (const when of ['before', 'after'] as const) {
        const { result } = await live({ ...begin(), death: { atWrite, when } });
        expect(result, `${when} write ${atWrite}`).toEqual(whole.result);
      }
    }
  });
});
