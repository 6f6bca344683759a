import { type AnyHook, defineHook } from '@spec/hooks';
import { expect, test } from 'vitest';
import { defineTool, memoryStore, type Store, type Thread } from '../src/index.ts';
import { createKit, lines, writeLine } from './kit.ts';

/** A store that calls `onWritten` each time a write has ended, before its writer goes on. */
function watchWrites(store: Store, onWritten: () => void): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== 'function') return method;
      if (name !== 'append' && name !== 'post') return method.bind(target);
      return async (...given: unknown[]) => {
        const result = (await method.apply(target, given)) as unknown;
        onWritten();
        return result;
      };
    },
  });
}

const busy = defineTool({
  name: 'busy',
  execute: async (_input, { state }) => {
    await state.injectMessage({ role: 'user', content: 'injected by the tool' }).catch(unlessStopped);
    await state.queueMessage({ role: 'user', content: 'queued by the tool' }).catch(unlessStopped);
    return 'done';
  },
});

const says = defineHook({ hook: 'after_tool_batch', id: 'says', execute: async () => ['a context'] });

const injects = defineHook({
  hook: 'filter_messages',
  id: 'injects',
  execute: async (state, messages) => {
    await state.injectMessage({ role: 'user', content: 'injected by a hook' });
    return messages;
  },
});

/** Counts the messages that each chain of their creation saw. */
function counters(before: string[], after: string[]): AnyHook[] {
  return [
    defineHook({
      hook: 'before_create_message',
      id: 'count_before',
      execute: async (_, message) => {
        before.push(writeLine(message as never));
        return message;
      },
    }),
    defineHook({
      hook: 'after_create_message',
      id: 'count_after',
      execute: async (_, message) => void after.push(writeLine(message as never)),
    }),
  ];
}

function unlessStopped(error: { code?: string }): void {
  if (error.code !== 'aborted') throw error;
}

/** Sends a message, and stops the thread as write number `at` of the turn has ended. Gives the number of writes. */
async function stopAtWrite(at: number): Promise<number> {
  let [writes, started] = [0, undefined as Thread | undefined];
  const kit = createKit(
    watchWrites(memoryStore(), () => {
      if (started !== undefined && ++writes === at) void started.stop();
    }),
  );
  try {
    const [before, after]: [string[], string[]] = [[], []];
    const { thread } = await kit.thread({
      policies: [...counters(before, after), says, injects],
      tools: [busy],
      script: [{ text: 'step', toolCalls: [{ name: 'busy' }, { name: 'busy' }] }, 'fine', 'fine'],
    });
    started = thread;
    await thread.send('Go');
    await thread.send('And now?');
    expect([...after].sort(), `stopped at write ${at}`).toEqual((await lines(thread)).sort());
    return writes;
  } finally {
    await kit.close();
  }
}

test('a message that is stored is told to after_create_message once, at whatever write the thread is stopped', async () => {
  const writes = await stopAtWrite(0);
  expect(writes).toBeGreaterThan(8);
  for (let at = 1; at <= writes; at++) await stopAtWrite(at);
});
