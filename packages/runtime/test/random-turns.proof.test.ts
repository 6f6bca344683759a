import { type AnyHook, defineHook, type ThreadState } from '@spec/hooks';
import fc from 'fast-check';
import { expect } from 'vitest';
import { readToolCalls, validExchanges } from '../src/history/exchanges.ts';
import { defineTool, type Thread } from '../src/index.ts';
import { type Kit, onBothStores, runWhatIsReady } from './kit.ts';

/** What happens to a thread, each after so many milliseconds. */
const action = fc.record({
  after: fc.integer({ min: 0, max: 6 }),
  what: fc.constantFrom('send', 'send', 'inject', 'queue', 'stop', 'tool', 'update'),
});
/** The delays of the tools that the model calls in one step, in milliseconds; none ends the turn. */
const step = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 });

interface Trial {
  readonly actions: ReadonlyArray<{ after: number; what: string }>;
  readonly steps: readonly number[][];
}

async function act(thread: Thread, what: string, n: number): Promise<unknown> {
  const message = { role: 'user', content: `${what} ${n}` } as const;
  if (what === 'send') return thread.send(message.content);
  if (what === 'inject') return thread.inject(message);
  if (what === 'queue') return thread.queue(message);
  if (what === 'tool') return thread.state.queueTool('wait', { ms: 1 }).catch(unlessStopped);
  if (what === 'stop') return thread.stop();
  const [first] = await thread.messages({ last: 1 });
  return first === undefined ? undefined : thread.update(first.id, { touched: n });
}

/** What is written through the thread's state belongs to the running turn, and ends with it. */
function unlessStopped(error: { code?: string }): void {
  if (error.code !== 'aborted') throw error;
}

async function runTrial(kit: Kit, { actions, steps }: Trial): Promise<void> {
  const counts = new Map<string, string[]>();
  const count = (name: 'before' | 'after') =>
    defineHook({
      hook: `${name}_create_message`,
      id: `count_${name}`,
      execute: async (state: ThreadState, message: Record<string, unknown>) => {
        const note = (): unknown =>
          counts.set(message.id as string, [...(counts.get(message.id as string) ?? []), name]);
        if (name === 'after') note();
        await runWhatIsReady(0);
        // Where a stop ends the chain before a message, what is left to be stored goes through it again.
        if (name === 'before' && !state.execution.abortSignal.aborted) note();
        return message as never;
      },
    }) as AnyHook;
  const wait = defineTool({
    name: 'wait',
    parameters: { type: 'object' },
    execute: async (input: Record<string, unknown>, { state }) => {
      await runWhatIsReady(Number(input.ms));
      await state.injectMessage({ role: 'user', content: 'from the tool' });
      return 'waited';
    },
  });
  const { thread } = await kit.thread({
    policies: [count('before'), count('after')],
    tools: [wait],
    script: [
      ...steps.map((calls) => async () => {
        await runWhatIsReady(1);
        return { text: 'step', toolCalls: calls.map((ms) => ({ name: 'wait', input: { ms } })) };
      }),
      ...Array.from({ length: 40 }, () => 'done'),
    ],
  });
  const done: Array<Promise<unknown>> = [];
  for (const [n, { after, what }] of actions.entries()) {
    if (after > 0) await runWhatIsReady(after);
    done.push(act(thread, what, n));
  }
  const failed = (await Promise.allSettled(done)).filter(({ status }) => status === 'rejected');
  expect(failed).toEqual([]);
  expect(await thread.send('last')).toMatchObject({ status: 'completed' });
  await expectWhole(kit, thread, counts);
}

/** Every call is answered next to it, every message went through its chains once, and nothing is left over. */
async function expectWhole(kit: Kit, thread: Thread, counts: ReadonlyMap<string, string[]>): Promise<void> {
  const messages = await thread.messages();
  expect(validExchanges(messages)).toEqual(messages);
  for (const { id } of messages) expect(counts.get(id)).toEqual(['before', 'after']);
  expect(await kit.store.listQueue(thread.id)).toEqual([]);
  expect(await kit.store.listToolCalls(thread.id, { status: 'started' })).toEqual([]);
  expect(await kit.store.listToolCalls(thread.id)).toHaveLength(messages.flatMap(readToolCalls).length);
  expect(thread.state.execution.stepCount).toBe(0);
}

onBothStores(
  'whatever comes together, the thread stays whole',
  async (kit) => {
    const trial = fc.record({
      actions: fc.array(action, { minLength: 1, maxLength: 8 }),
      steps: fc.array(step, { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(trial, (one) => runTrial(kit, one)),
      { numRuns: 40 },
    );
  },
  60_000,
);
