import type { AnyHook, HookMessage } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { FullTrial, Setup } from '../../subject.ts';
import { on, writeLine } from '../kit/index.ts';
import { contains, lacks } from '../kit/trials.ts';
import { findWay, type Way, wayNames } from './ways.ts';

const STAMP = '*';

/** What the chains of creation have seen, as `role: content`. */
interface Counted {
  readonly hooks: readonly AnyHook[];
  readonly before: string[];
  readonly after: string[];
}

/** Hooks that stamp and count every message. */
function counting(): Counted {
  const before: string[] = [];
  const after: string[] = [];
  const stamp = on('before_create_message', async (_, message) => {
    const stamped = { ...message, content: stampOn(message.content) };
    before.push(writeLine(stamped));
    return stamped;
  });
  const count = on('after_create_message', async (_, message) => void after.push(writeLine(message)));
  return { hooks: [stamp, count], before, after };
}

function stampOn(content: unknown): unknown {
  return typeof content === 'string' ? `${content}${STAMP}` : content;
}

/** The setup of a way, with these hooks behind its own, in the thread and in its subagent. */
export function withHooks(setup: Setup, more: readonly AnyHook[]): Setup {
  const hooks = [...(setup.hooks ?? []), ...more];
  const promptHooks = hooks.map(({ id }) => id);
  const { subagent, otherSide } = setup;
  return {
    ...setup,
    hooks,
    promptHooks,
    ...(subagent === undefined ? {} : { subagent: { ...subagent, promptHooks } }),
    ...(otherSide === undefined ? {} : { otherSide: { ...otherSide, promptHooks } }),
  };
}

/** Everything that is stored, in the thread and in its subagents. */
export async function storedEverywhere(trial: FullTrial, hasSubagents: boolean): Promise<HookMessage[]> {
  const own = await trial.messages();
  return [...own, ...(hasSubagents ? (await trial.subagents()).flat() : [])];
}

/** What is stored after a way was gone. Throws where its message did not come into being. */
export async function storedBy(
  { stores, replaces, needs = [] }: Way,
  trial: FullTrial,
): Promise<readonly string[]> {
  const stored = (await storedEverywhere(trial, needs.includes('subagents'))).map(writeLine);
  contains(stored.join(' | '), stores, 'the stored messages');
  if (replaces !== undefined) lacks(stored.join(' | '), replaces, 'the stored messages');
  return stored;
}

async function passesOnce({ open }: TestBench, name: string): Promise<void> {
  const way = findWay(name);
  const { hooks, before, after } = counting();
  const trial = await open(withHooks(way.setup('the text'), hooks));
  await (way.go?.(trial, 'the text') ?? trial.send('Go')).catch(() => {});
  const sorted = [...(await storedBy(way, trial))].sort();
  // A reason or the like that is kept, and is no message, may pass too; what passed twice has another stamp when it is stored.
  const isOfMessage = (line: string): boolean => sorted.includes(line) || sorted.includes(`${line}${STAMP}`);
  same(
    before.filter(isOfMessage).sort(),
    sorted,
    'what before_create_message returned, against what is stored',
  );
  same([...after].sort(), sorted, 'what after_create_message saw, against what is stored');
}

/** Each way in which a message comes into being leads through the chains of its creation once. */
export const onceCases: readonly Case[] = wayNames.map((name) => {
  const { what, needs = [], hooks = [] } = findWay(name);
  return {
    id: `messages.${name}_passes_the_create_chain_once`,
    section: 'design 7.1',
    level: 'ours',
    needs,
    hooks: [...hooks, 'before_create_message', 'after_create_message'],
    says: `A message that ${what} passes before_create_message and after_create_message exactly once, and is stored as the former returned it.`,
    run: (bench) => passesOnce(bench, name),
  };
});
