import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import {
  counted,
  happened,
  lines,
  listConversation,
  never,
  on,
  pause,
  rejects,
  scoped,
} from '../kit/index.ts';
import { ENOUGH, lacks, soon, storedAs } from '../kit/trials.ts';

/**
 * Three hooks that take a unit each, with a timeout of two units. Throws where one of them was ended that was in time.
 *
 * @param unit milliseconds
 * @returns `false` where one was ended that this machine may have held up for too long
 */
async function threeInTime({ open }: TestBench, unit: number): Promise<boolean> {
  const ids = ['a', 'b', 'c'];
  let longest = 0;
  const slow = (id: string) =>
    on(
      'before_create_message',
      async (_, message) => {
        if (message.role !== 'user') return message;
        const began = performance.now();
        await pause(unit);
        longest = Math.max(longest, performance.now() - began);
        return { ...message, content: `${String(message.content)}+${id}` };
      },
      { id },
    );
  const trial = await open(scoped(ids.map(slow), { hookTimeout: unit * 2 }));
  try {
    await trial.send('hello');
    same((await lines(trial))[0], `user: hello+${ids.join('+')}`, 'the stored message');
    return true;
  } catch (error) {
    if (longest > unit * 1.5) return false;
    throw error;
  }
}

/** Timeouts (specification §1.2, design §5). */
export const timeoutCases: readonly Case[] = [
  {
    id: 'timeouts.the_runtimes_timeout_ends_a_hook_that_hangs',
    section: 'spec 1.2',
    level: 'SHOULD',
    says: 'A hook that names no timeout and never answers is ended by the runtime’s.',
    covers: ['1.2.timeout'],
    hooks: ['after_create_message'],
    async run({ open }) {
      const hangs = counted('after_create_message', () => never());
      const trial = await open(scoped([hangs.hook], { hookTimeout: 40, script: [{ text: 'hi' }] }));
      const { status } = await soon(trial.send('hello'), 'the end of a turn whose hooks hang');
      happened(hangs.runs, 'a run of the hook');
      same([status, await lines(trial)], ['completed', ['user: hello', 'assistant: hi']], 'the turn');
    },
  },
  {
    id: 'timeouts.a_hook_that_must_answer_fails_when_it_hangs',
    section: 'spec 1.2',
    level: 'SHOULD',
    says: 'A hook that the insertion waits for, names no timeout and never answers, has failed: nothing is inserted.',
    covers: ['1.2.timeout'],
    hooks: ['before_create_message'],
    async run({ open }) {
      const trial = await open(scoped([on('before_create_message', () => never())], { hookTimeout: 40 }));
      await soon(rejects(trial.send('hello'), 'sending'), 'the end of a turn whose hook hangs');
      same(await listConversation(trial), [], 'the stored messages');
    },
  },
  {
    id: 'timeouts.a_hooks_own_timeout_beats_the_runtimes',
    section: 'design 5',
    level: 'ours',
    says: 'A hook that names a longer timeout than the runtime’s has that long.',
    hooks: ['before_create_message'],
    async run({ open }) {
      const slow = on(
        'before_create_message',
        async (_, message) => {
          await pause(80);
          return { ...message, content: 'slow but sure' };
        },
        { timeout: ENOUGH },
      );
      const trial = await open(scoped([slow], { hookTimeout: 20, script: [{ text: 'hi' }] }));
      await trial.send('hello');
      same((await lines(trial))[0], 'user: slow but sure', 'the stored message');
    },
  },
  {
    id: 'timeouts.a_hook_in_time_is_not_ended',
    section: 'spec 1.2',
    level: 'SHOULD',
    says: 'Each hook has its own time: three that together take more than it all count.',
    covers: ['1.2.timeout'],
    hooks: ['before_create_message'],
    async run(bench) {
      for (const unit of [40, 200, 800]) if (await threeInTime(bench, unit)) return;
      throw new Error('this machine is too busy to tell: a hook that waits took too long by itself');
    },
  },
  {
    id: 'timeouts.on_timeout_is_apart_from_on_error',
    section: 'design 5',
    level: 'ours',
    says: "A hook with onError 'block' and onTimeout 'continue' blocks when it throws, and not when it hangs.",
    hooks: ['before_create_message'],
    async run({ open }) {
      const hook = on(
        'before_create_message',
        async (_, message) => {
          if (message.content === 'bad') throw new Error('no');
          if (message.role === 'user') await never();
          return message;
        },
        { timeout: 40, onError: 'block', onTimeout: 'continue' },
      );
      const trial = await open(scoped([hook], { script: [{ text: 'hi' }] }));
      await rejects(trial.send('bad'), 'sending what the hook throws for');
      await trial.send('slow');
      const users = (await storedAs(trial, 'user')).map(({ content }) => content);
      same(users, ['slow'], 'the stored messages of the user');
    },
  },
  {
    id: 'timeouts.a_hook_that_blocks_the_process_does_not_count',
    section: 'spec 1.2',
    level: 'ours',
    says: 'A hook that holds the event loop past its timeout cannot be ended; what it answers then does not count.',
    covers: ['1.2.no_blocking'],
    hooks: ['before_create_message'],
    async run({ open }) {
      const blocks = counted(
        'before_create_message',
        async (_, message) => {
          const end = performance.now() + 90;
          while (performance.now() < end);
          return { ...message, content: 'too late' };
        },
        { timeout: 30, onTimeout: 'continue' },
      );
      const trial = await open(scoped([blocks.hook], { hookTimeout: 30, script: [{ text: 'hi' }] }));
      await trial.send('hello');
      happened(blocks.runs, 'a run of the hook');
      lacks((await lines(trial)).join('\n'), 'too late', 'the stored messages');
    },
  },
];
