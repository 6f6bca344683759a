import type { AnyHook } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import { happened, on, writeLine } from '../kit/index.ts';
import { storedBy, withHooks } from './once.ts';
import { findWay, wayNames } from './ways.ts';

interface Watching {
  readonly hooks: readonly AnyHook[];
  /** The messages which were stored too early, or not yet where they should be. */
  readonly misplaced: string[];
  /** How often each of the two hooks ran. */
  readonly runs: { before: number; after: number };
}

function watching(): Watching {
  const misplaced: string[] = [];
  const runs = { before: 0, after: 0 };
  const before = on('before_create_message', async (state, message) => {
    runs.before++;
    const { id } = message;
    const isThere = typeof id === 'string' && (await state.getMessage(id)) !== null;
    if (isThere) misplaced.push(`stored before its hook: ${writeLine(message)}`);
    return message;
  });
  const after = on('after_create_message', async (state, message) => {
    runs.after++;
    const read = await state.getMessage(String(message.id));
    if (read === null || read.content !== message.content)
      misplaced.push(`not stored when after_create_message ran: ${writeLine(message)}`);
  });
  return { hooks: [before, after], misplaced, runs };
}

async function isBetween({ open }: TestBench, name: string): Promise<void> {
  const way = findWay(name);
  const { hooks, misplaced, runs } = watching();
  const trial = await open(withHooks(way.setup('the text'), hooks));
  await (way.go?.(trial, 'the text') ?? trial.send('Go')).catch(() => {});
  await storedBy(way, trial);
  happened(runs.before, 'a run of before_create_message');
  happened(runs.after, 'a run of after_create_message');
  same(misplaced, [], 'the messages that were not stored between their hooks');
}

/** However a message comes into being, it is stored after the one hook and before the other (specification §4.1, §4.2). */
export const betweenCases: readonly Case[] = wayNames.map((name) => {
  const { what, needs = [], hooks = [] } = findWay(name);
  return {
    id: `messages.${name}_is_stored_between_its_hooks`,
    section: 'spec 4.2',
    level: 'MUST',
    needs,
    hooks: [...hooks, 'before_create_message', 'after_create_message'],
    covers: ['4.1.called', '4.2.called'],
    says: `A message that ${what} is not stored when before_create_message runs, and is when after_create_message does.`,
    run: (bench) => isBetween(bench, name),
  };
});
