import { createHost } from '@spec/hooks/host';
import { afterEach, expect, test, vi } from 'vitest';
import { honours } from './honours.ts';
import { type Running, Turns } from './turns.ts';

afterEach(() => vi.restoreAllMocks());

/** Two minutes go by. */
function waitLong(): void {
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 120_000);
}

/** Turns, and what gives the one of a name as it is known now. */
function makeTurns() {
  const turns = new Turns(createHost({ name: 'langchain', honours }), () => ({}));
  const use = <Result>(name: string, work: (running: Running) => Promise<Result>) =>
    turns.use({ messages: [], _hooksTurn: name }, {} as never, work);
  return { use, find: (name: string) => use(name, async (running) => running) };
}

async function beginMany(find: (name: string) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < 1_001; at++) await find(`other-${at}`);
}

test('an invocation keeps its turn while something is under way in it, however many others begin', async () => {
  const { use, find } = makeTurns();
  await find('one');
  await use('one', async (running) => {
    await beginMany(find);
    waitLong();
    await beginMany(find);
    expect(await find('one')).toBe(running);
  });
});

test('an invocation keeps its turn on its way to the next node, and not for ever', async () => {
  const { find } = makeTurns();
  const running = await find('one');
  await beginMany(find);
  expect(await find('one')).toBe(running);
  await beginMany((name) => find(`${name} again`));
  waitLong();
  await beginMany((name) => find(`${name} later`));
  expect(await find('one')).not.toBe(running);
});
