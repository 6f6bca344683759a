import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Store, Thread } from '../src/index.ts';
import { type Journal, journalEngine } from '../src/testing/index.ts';
import { eventfulTurn } from './eventful-turn.ts';
import { createKit } from './kit.ts';
import { deathShares, openQuick } from './lasting-store.ts';
import { type Death, Mortality } from './mortal-store.ts';
import { storedThread } from './stored-thread.ts';

const LEASE = 20;

async function sendWhereFree(thread: Thread): Promise<void> {
  for (;;) {
    try {
      await thread.send('Go', { id: 'turn' });
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'thread_busy') throw error;
      await wait(LEASE / 4);
    }
  }
}

interface Life {
  readonly store: Store;
  readonly engine?: ReturnType<typeof journalEngine> | undefined;
}

/** Begins the turn in one process, and where that dies, goes on in another. */
async function liveTwice(
  first: Life & { mortality: Mortality; died: Promise<void> },
  second: Life,
): Promise<unknown> {
  const engineOf = ({ engine }: Life): object => (engine === undefined ? {} : { engine });
  const begun = createKit(first.store).start({ ...eventfulTurn(), lease: LEASE, ...engineOf(first) });
  const beginning = begun.runtime.createThread({ agent: 'agent', id: 't' }).then(sendWhereFree);
  await Promise.race([beginning, first.died]);
  const again = createKit(second.store).start({ ...eventfulTurn(), lease: LEASE, ...engineOf(second) });
  const there = await second.store.getThread('t');
  const thread =
    there === null
      ? await again.runtime.createThread({ agent: 'agent', id: 't' })
      : await again.runtime.openThread('t');
  await sendWhereFree(thread);
  await thread.idle();
  return storedThread(second.store, 't');
}

function mortal(death?: Omit<Death, 'onDeath'>): { mortality: Mortality; died: Promise<void> } {
  let tell: () => void = () => {};
  const died = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { mortality: new Mortality(death === undefined ? undefined : { ...death, onDeath: tell }), died };
}

async function withEmbeddedEngine(death?: Omit<Death, 'onDeath'>): Promise<[unknown, number]> {
  const store = openQuick();
  const life = mortal(death);
  const result = await liveTwice({ ...life, store: life.mortality.storeOf(store) }, { store });
  return [result, life.mortality.writes];
}

interface StepDeath {
  readonly atStep: number;
  readonly when: 'before' | 'after';
}

async function withJournal(death?: StepDeath): Promise<[unknown, number]> {
  const store = openQuick();
  const journal: Journal = new Map();
  const life = mortal();
  let tellDied: () => void = () => {};
  const died = new Promise<void>((resolve) => {
    tellDied = resolve;
  });
  let steps = 0;
  const engine = journalEngine({
    journal,
    async onStep(_name, when) {
      if (when === 'before') steps++;
      if (death === undefined || steps !== death.atStep || when !== death.when) return;
      life.mortality.die();
      tellDied();
      await new Promise(() => {});
    },
  });
  const first = { ...life, died, store: life.mortality.storeOf(store), engine };
  const result = await liveTwice(first, { store, engine: journalEngine({ journal }) });
  return [result, steps];
}

describe('wherever the process dies, the same thread comes out', () => {
  test('with the embedded engine', { timeout: 120_000 }, async () => {
    const [whole, writes] = await withEmbeddedEngine();
    expect(writes).toBeGreaterThan(30);
    for (let atWrite = 1; atWrite <= writes; atWrite += deathShares) {
      for (const when of ['before', 'after'] as const) {
        const [result] = await withEmbeddedEngine({ atWrite, when });
        expect(result, `${when} write ${atWrite}`).toEqual(whole);
      }
    }
  });

  test('with an engine that remembers every step', { timeout: 120_000 }, async () => {
    const [whole] = await withEmbeddedEngine();
    const [remembered, steps] = await withJournal();
    expect(remembered).toEqual(whole);
    expect(steps).toBeGreaterThan(20);
    for (let atStep = 1; atStep <= steps; atStep += deathShares) {
      for (const when of ['before', 'after'] as const) {
        const [result] = await withJournal({ atStep, when });
        expect(result, `${when} step ${atStep}`).toEqual(whole);
      }
    }
  });
});
