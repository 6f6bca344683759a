import { RunError } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { type Append, defineTool, type Thread } from '../src/index.ts';
import { gate, type Kit, lines, onBothStores, runWhatIsReady } from './kit.ts';

const diskFull = (): RunError => new RunError('store_failed', 'The disk is full.');

/** Has the appends fail that a test chooses. */
function failAppends({ store }: Kit, fails: (append: Append) => boolean): void {
  const { append } = store;
  store.append = (threadId, fence, what) =>
    fails(what) ? Promise.reject(diskFull()) : append.call(store, threadId, fence, what);
}

/** What was written, and whether its writer was told that it is kept. */
class Told {
  readonly kept: string[] = [];
  readonly refused: string[] = [];

  async of(content: string, writing: Promise<unknown>): Promise<void> {
    await writing.then(
      () => this.kept.push(content),
      () => this.refused.push(content),
    );
  }
}

const inject = (content: string) => ({ role: 'user', content }) as const;

/** Two calls, of which the first one writes into the thread, twice. */
async function callingThread(kit: Kit, told: Told): Promise<Thread> {
  const note = defineTool({
    name: 'note',
    onInterrupted: 'retry',
    execute: async (_, { state }) => {
      await told.of('first', state.injectMessage({ id: 'first', ...inject('first') }));
      await told.of('second', state.injectMessage({ id: 'second', ...inject('second') }));
      return 'noted';
    },
  });
  const look = defineTool({ name: 'look', onInterrupted: 'retry', execute: async () => 'seen' });
  const calls = { toolCalls: ['note', 'look'].map((name) => ({ id: name, name })) };
  const { thread } = await kit.thread({ tools: [note, look], script: [calls, 'Done.', 'Done.', 'Done.'] });
  return thread;
}

/** Every call has its results right behind it, and what was told to be kept is there once, and nothing else. */
async function checkThread(thread: Thread, told: Told): Promise<void> {
  const messages = await thread.messages();
  const caller = messages.findIndex(({ tool_calls }) => tool_calls != null);
  if (caller >= 0)
    expect(messages.slice(caller + 1, caller + 3).map(({ role }) => role)).toEqual(['tool', 'tool']);
  const written = messages
    .map(({ content }) => content)
    .filter((text) => /^(first|second|third)$/.test(text ?? ''));
  expect(written.sort()).toEqual([...new Set(told.kept)].sort());
}

describe('a commit that fails in a live process', () => {
  onBothStores(
    'lets nothing between a call and its result, and keeps what writers were told',
    async (kit) => {
      for (let failing = 1, total = 2; failing <= total; failing++) {
        let count = 0;
        const told = new Told();
        const thread = await callingThread(kit, told);
        const { append } = kit.store;
        failAppends(kit, () => ++count === failing);
        await thread.send('Go').catch(() => {});
        await told.of('third', thread.inject(inject('third')));
        total = count;
        kit.store.append = append;
        await thread.resume();
        await thread.send('Go on');
        await checkThread(thread, told);
        await thread.close();
      }
    },
  );

  onBothStores('of what is injected: it is written at no later time', async (kit) => {
    const { open, opened } = gate();
    const { open: end, opened: ended } = gate();
    const wait = defineTool({
      name: 'wait',
      execute: async () => {
        open();
        await ended;
        return 'waited';
      },
    });
    const script = [{ toolCalls: [{ id: 'c', name: 'wait' }] }, 'Done.'];
    const { thread } = await kit.thread({ tools: [wait], script });
    const told = new Told();
    const sent = thread.send('Go');
    await opened;
    const { append } = kit.store;
    const late = gate();
    kit.store.append = (threadId, fence, what) =>
      what.enqueue === undefined
        ? append.call(kit.store, threadId, fence, what)
        : late.opened.then(() => Promise.reject(diskFull()));
    const injected = told.of('first', thread.inject(inject('first')));
    end();
    await runWhatIsReady(20);
    late.open();
    await injected;
    kit.store.append = append;
    await sent;
    expect(told.refused).toEqual(['first']);
    expect(await lines(thread)).toEqual(['user: Go', 'assistant: null', 'tool: waited', 'assistant: Done.']);
    expect(await kit.store.listQueue(thread.id)).toEqual([]);
  });
});

onBothStores(
  'a result that could not be stored is stored when the turn goes on in its process',
  async (kit) => {
    const paid: string[] = [];
    const pay = defineTool({ name: 'pay', execute: () => `Paid ${paid.push('EUR 20')}.` });
    const calls = { toolCalls: ['first', 'second'].map((id) => ({ id, name: 'pay' })) };
    const { thread } = await kit.thread({ tools: [pay], script: [calls, 'Done.'] });
    let isFull = true;
    failAppends(kit, ({ messages }) => isFull && (messages?.some(({ role }) => role === 'tool') ?? false));
    await expect(thread.send('Pay both.')).rejects.toMatchObject({ code: 'store_failed' });
    isFull = false;
    await thread.resume();
    expect((await lines(thread)).slice(2)).toEqual(['tool: Paid 1.', 'tool: Paid 2.', 'assistant: Done.']);
    expect(paid).toHaveLength(2);
  },
);
