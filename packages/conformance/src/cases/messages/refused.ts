import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import { happened, never, on, returning } from '../kit/index.ts';
import { lacks, SHORT, sentText } from '../kit/trials.ts';
import { storedEverywhere, withHooks } from './once.ts';
import { findWay, wayNames } from './ways.ts';

/** In the text that the message is about. */
const MARKER = 'marker-of-a-refused-message';

/** How a hook does not let a message through. */
interface Refusal {
  fail(): Promise<never>;
  /** Milliseconds; absent: as long as every hook. */
  readonly timeout?: number;
}

const refusals: readonly Refusal[] = [
  { fail: () => Promise.reject(new Error('no luck')) },
  { fail: () => never(), timeout: SHORT },
  { fail: returning({ role: 'nobody' }) },
];

/** Goes a way with a create chain that does not let the message through. */
async function isStoredNowhere({ open }: TestBench, name: string, { fail, timeout }: Refusal): Promise<void> {
  const { setup, go, needs = [] } = findWay(name);
  let refused = 0;
  const guard = on(
    'before_create_message',
    async (_, message) => {
      if (!String(message.content).includes(MARKER)) return message;
      refused++;
      return fail();
    },
    timeout === undefined ? {} : { timeout },
  );
  const trial = await open(withHooks(setup(MARKER), [guard]));
  await (go?.(trial, MARKER) ?? trial.send('Go')).catch(() => {});
  const stored = await storedEverywhere(trial, needs.includes('subagents'));
  same(refused > 0, true, 'the message was shown to before_create_message');
  lacks(stored.map(({ content }) => content).join(' | '), MARKER, 'what is stored');
}

/** The ways whose message holds the text that the way is given; what the model is sent of a child's task is the child's. */
const refusable = wayNames.filter((name) => {
  const { stores } = findWay(name);
  return stores === 'the text' && !['first_of_a_child', 'other_side'].includes(name);
});

/** Whoever writes a message, one that its create chain does not let through is stored nowhere. */
export const refusedMessageCases: readonly Case[] = [
  ...refusable.map((name): Case => {
    const { what, needs = [], hooks = [] } = findWay(name);
    return {
      id: `messages.${name}_is_not_stored_where_its_chain_fails`,
      section: 'design 4.1',
      level: 'ours',
      needs,
      hooks: [...hooks, 'before_create_message'],
      says: `A message that ${what} is stored nowhere where before_create_message fails, hangs or answers nonsense.`,
      async run(bench) {
        for (const refusal of refusals) await isStoredNowhere(bench, name, refusal);
      },
    };
  }),
  {
    id: 'messages.refused_result_is_not_sent_to_the_model',
    section: 'design 4.1',
    level: 'ours',
    hooks: ['before_create_message'],
    says: 'A tool result whose create chain failed is not sent to the model in any later turn.',
    async run({ open }) {
      const { setup } = findWay('result');
      const guard = on('before_create_message', async (_, message) => {
        if (message.role === 'tool') throw new Error('no luck');
        return message;
      });
      const trial = await open(withHooks(setup(MARKER), [guard]));
      await trial.send('Go').catch(() => {});
      const { status } = await trial.send('And now?');
      happened(trial.sent().length, 'a call of the model');
      same(status, 'completed', 'how the next turn ended');
      lacks(sentText(trial), MARKER, 'what the model was sent');
    },
  },
];
