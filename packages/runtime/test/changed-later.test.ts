import { type AnyHook, defineHook, type ThreadState } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { type AnyTool, defineTool, type Thread } from '../src/index.ts';
import { fields, type Kit, lines, onBothStores, runWhatIsReady } from './kit.ts';

/** What a hook has seen of each message, and what is stored of it: both as the writer gave it. */
const asGiven = ['first', 'second'];

/** Notes what a hook sees of a message. */
function looking(seen: unknown[]): AnyHook {
  return defineHook({
    hook: 'before_create_message',
    id: 'look',
    execute: async (_, message) => {
      const { note } = (message.metadata ?? {}) as { note?: unknown };
      if (note !== undefined) seen.push(note);
      return message;
    },
  }) as AnyHook;
}

type Write = (state: ThreadState, message: { role: 'user'; content: string; metadata: object }) => unknown;

const writes: Readonly<Record<string, Write>> = {
  injects: (state, message) => state.injectMessage(message),
  queues: (state, message) => state.queueMessage(message),
};

describe('what a tool changes in what it gave is neither stored nor past the hooks', () => {
  for (const [how, write] of Object.entries(writes))
    onBothStores(`a tool that ${how} the same object again`, async (kit) => {
      const seen: unknown[] = [];
      const tool = defineTool({
        name: 'write',
        execute: async (_, { state }) => {
          const metadata = { note: '' };
          for (const note of asGiven) {
            metadata.note = note;
            await write(state, { role: 'user', content: note, metadata });
          }
          metadata.note = 'changed';
        },
      });
      const script = [{ toolCalls: [{ name: 'write' }] }, 'Done.'];
      const { thread } = await kit.thread({
        tools: [tool as AnyTool],
        policies: [looking(seen)],
        script,
      });
      await thread.send('Go');
      const notes = (await fields(thread, 'metadata')).filter((field) => field != null);
      expect(notes).toEqual(asGiven.map((note) => ({ note })));
      expect(seen).toEqual(asGiven);
    });

  onBothStores('what it was given back for a message that waits', async (kit) => {
    const tool = defineTool({
      name: 'write',
      execute: async (_, { state }) => {
        const message = await state.injectMessage({ role: 'user', content: 'as given' });
        message.content = 'changed';
      },
    });
    const { thread } = await kit.thread({
      tools: [tool as AnyTool],
      script: [{ toolCalls: [{ name: 'write' }] }, 'Done.'],
    });
    await thread.send('Go');
    expect(await lines(thread)).toContain('user: as given');
  });
});

describe('what the application changes while it is on its way', () => {
  type Act = (thread: Thread, metadata: { note: string }) => Promise<unknown>;
  const acts: Readonly<Record<string, Act>> = {
    sends: (thread, metadata) => thread.send({ content: 'Go', metadata }),
    injects: (thread, metadata) => thread.inject({ role: 'user', content: 'Go', metadata }),
    updates: async (thread, metadata) => {
      const { id } = await thread.inject({ role: 'user', content: 'Go' });
      const updating = thread.update(id, { metadata });
      metadata.note = 'changed';
      await updating;
    },
  };
  for (const [how, act] of Object.entries(acts))
    onBothStores(`where it ${how}`, async (kit: Kit) => {
      const look = defineHook({ hook: 'before_user_message', id: 'look', execute: async () => null });
      const { thread } = await kit.thread({ policies: [look], script: ['Done.'] });
      const metadata = { note: 'as given' };
      const acting = act(thread, metadata);
      metadata.note = how === 'updates' ? metadata.note : 'changed';
      await acting;
      expect((await fields(thread, 'metadata'))[0]).toEqual({ note: 'as given' });
    });
});

onBothStores(
  'what stands for an object, as that of a reactive library, is stored and heard as JSON',
  async (kit) => {
    const metadata = new Proxy({ note: 'kept' }, {});
    const { thread, events } = await kit.thread({ script: ['Done.'] });
    expect(await thread.send({ content: 'Go', metadata })).toMatchObject({ status: 'completed' });
    await thread.inject({ role: 'user', content: 'Go on', metadata });
    await runWhatIsReady();
    const heard = events.flatMap((event) =>
      event.type === 'message' ? [(event.message as { metadata?: unknown }).metadata] : [],
    );
    expect(heard.filter((one) => one != null)).toEqual([{ note: 'kept' }, { note: 'kept' }]);
  },
);
