import { defineHook, type NewMessage, type ThreadState } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { type CreateEngine, embeddedEngine } from '../src/engine/engine.ts';
import { defineTool, type Thread } from '../src/index.ts';
import { gate, type Kit, onBothStores, runWhatIsReady, thrownBy } from './kit.ts';

/** Who can write a message under an id of their choice while a turn runs, or at rest. */
const writers: Readonly<
  Record<string, (message: NewMessage, at: { thread: Thread; state: ThreadState }) => Promise<unknown>>
> = {
  'thread.inject': (message, { thread }) => thread.inject(message),
  'thread.queue': (message, { thread }) => thread.queue(message, { wake: false }),
  'state.injectMessage': (message, { state }) => state.injectMessage(message),
  'state.queueMessage': (message, { state }) => state.queueMessage(message),
};

const pairs = Object.keys(writers).flatMap((first) =>
  Object.keys(writers).flatMap((second) =>
    (['user', 'system'] as const).map((role) => ({
      id: `${first} then ${second} as ${role}`,
      first: writers[first] as (typeof writers)[string],
      second: writers[second] as (typeof writers)[string],
      role,
    })),
  ),
);

/** A thread whose tool does in each turn what comes next. */
async function withTool(kit: Kit, run: readonly ((state: ThreadState) => Promise<unknown>)[]) {
  const left = [...run];
  const write = defineTool({
    name: 'write',
    execute: async (_, { state }) => {
      await left.shift()?.(state);
      return 'written';
    },
  });
  const script = run.flatMap((_, n) => [{ toolCalls: [{ id: `c${n}`, name: 'write' }] }, 'Done.']);
  return kit.thread({ tools: [write], script });
}

const readCode = (error: { code?: string }): string => error.code ?? 'unexpected';

const expected = pairs.map(({ id, role }) => `${id}: ${role === 'user' ? 'once' : 'invalid_message'}`);

/** What is injected takes the place of the same message that is only queued. */
const isOvertaken = (id: string): boolean => /queue.* then .*inject.* user$/i.test(id);

async function expectOnce(thread: Thread, overtaken: (id: string) => boolean): Promise<void> {
  const messages = (await thread.messages()).filter(({ id }) => id.includes(' then '));
  expect(messages.map(({ id, role, content }) => `${id}: ${role} ${content}`).toSorted()).toEqual(
    pairs.map(({ id }) => `${id}: user ${overtaken(id) ? 'second' : 'first'}`).toSorted(),
  );
}

describe('an id is that of one message: another role under it is refused, the same message is there once', () => {
  onBothStores('while the first one waits', async (kit) => {
    const outcomes: string[] = [];
    const { thread } = await withTool(kit, [
      async (state) => {
        for (const { id, first, second, role } of pairs) {
          const at = { thread, state };
          await first({ id, role: 'user', content: 'first' }, at);
          const outcome = await second({ id, role, content: 'second' }, at).then(() => 'once', readCode);
          outcomes.push(`${id}: ${outcome}`);
        }
      },
    ]);
    await thread.send('Go');
    expect(outcomes).toEqual(expected);
    await expectOnce(thread, isOvertaken);
  });

  onBothStores('where the first one is stored', async (kit) => {
    const outcomes: string[] = [];
    const { thread } = await withTool(kit, [
      async (state) => {
        for (const { id, first } of pairs)
          await first({ id, role: 'user', content: 'first' }, { thread, state });
      },
      async (state) => {
        for (const { id, second, role } of pairs) {
          const writing = second({ id, role, content: 'second' }, { thread, state });
          outcomes.push(`${id}: ${await writing.then(() => 'once', readCode)}`);
        }
      },
    ]);
    await thread.send('Go');
    await thread.send('Go on');
    expect(outcomes).toEqual(expected);
    await expectOnce(thread, () => false);
  });

  onBothStores('where both are written at once', async (kit) => {
    const outcomes: string[] = [];
    const wait = defineHook({
      hook: 'before_create_message',
      id: 'wait',
      execute: async (_, message) => {
        await runWhatIsReady(1);
        return message;
      },
    });
    const { thread } = await kit.thread({ policies: [wait] });
    for (const name of ['thread.inject', 'thread.queue']) {
      const write = writers[name] as (typeof writers)[string];
      for (const role of ['user', 'system'] as const) {
        const at = { thread, state: thread.state };
        const id = `${name} ${role}`;
        const written = await Promise.allSettled([
          write({ id, role: 'user', content: 'first' }, at),
          write({ id, role, content: 'second' }, at),
        ]);
        const [refused] = written.flatMap((one) => (one.status === 'rejected' ? [readCode(one.reason)] : []));
        outcomes.push(`${id}: ${refused ?? 'once'}`);
      }
    }
    expect(outcomes).toEqual([
      'thread.inject user: once',
      'thread.inject system: invalid_message',
      'thread.queue user: once',
      'thread.queue system: invalid_message',
    ]);
  });

  onBothStores('where a hook gives it', async (kit) => {
    const rename = defineHook({
      hook: 'before_create_message',
      id: 'rename',
      execute: async (_, message) => (message.content === 'renamed' ? { ...message, id: 'x' } : message),
    });
    const { thread } = await kit.thread({ policies: [rename] });
    await thread.queue({ id: 'x', role: 'user', content: 'first' }, { wake: false });
    for (const role of ['user', 'system'] as const) {
      const error = await thrownBy(thread.inject({ role, content: 'renamed' }));
      expect(error).toMatchObject({ code: 'invalid_message' });
    }
  });
});

describe('a message that is sent under an id of its own', () => {
  for (const role of ['user', 'system'] as const) {
    onBothStores(`is refused while another one waits under it, as ${role}`, async (kit) => {
      const { thread } = await kit.thread({ script: ['Done.', 'Done.'] });
      await thread.queue({ id: 'x', role, content: 'first' }, { wake: false });
      const error = await thrownBy(thread.send({ id: 'x', content: 'second' }));
      expect(error).toMatchObject({ code: 'invalid_input' });
      await thread.send('Go');
      const stored = (await thread.messages()).find(({ id }) => id === 'x');
      expect(stored).toMatchObject({ role, content: 'first' });
    });

    for (const writer of Object.keys(writers)) {
      onBothStores(`gives way to one of ${writer} that came while hooks decided, as ${role}`, async (kit) => {
        const asked = gate();
        const decided = gate();
        const decide = defineHook({
          hook: 'before_user_message',
          id: 'decide',
          execute: async () => {
            asked.open();
            await decided.opened;
            return null;
          },
        });
        const { thread } = await kit.thread({ policies: [decide], script: ['Done.', 'Done.'] });
        const sending = thrownBy(thread.send({ id: 'x', content: 'sent' }));
        await asked.opened;
        await writers[writer]?.({ id: 'x', role, content: 'written' }, { thread, state: thread.state });
        decided.open();
        expect(await sending).toMatchObject({ code: 'invalid_input' });
        await thread.send('Go');
        const stored = (await thread.messages()).filter(({ id }) => id === 'x');
        expect(stored).toEqual([expect.objectContaining({ role, content: 'written' })]);
      });
    }
  }
});

for (const writer of ['thread.inject', 'thread.queue'])
  onBothStores(
    `a sent message gives way to one of ${writer} that comes while its engine waits`,
    async (kit) => {
      const asked = gate();
      const goes = gate();
      const engine: CreateEngine = (parts) => {
        const inner = embeddedEngine(parts);
        return {
          ...inner,
          async submit(...given) {
            asked.open();
            await goes.opened;
            return inner.submit(...given);
          },
        };
      };
      const { thread } = await kit.thread({ engine, script: ['Done.', 'Done.'] });
      const sending = thrownBy(thread.send({ id: 'x', content: 'sent' }));
      await asked.opened;
      const message: NewMessage = { id: 'x', role: 'user', content: 'written' };
      await (writer === 'thread.inject' ? thread.inject(message) : thread.queue(message, { wake: false }));
      goes.open();
      expect(await sending).toMatchObject({ code: 'invalid_input' });
      await thread.send('Go');
      const stored = (await thread.messages()).filter(({ id }) => id === 'x');
      expect(stored).toEqual([expect.objectContaining({ content: 'written' })]);
    },
  );

onBothStores(
  'a queued message whose id another one took meanwhile is dropped with an error row',
  async (kit) => {
    const { thread } = await kit.thread({ script: ['Done.'] });
    await thread.queue({ id: 'x', role: 'system', content: 'queued' }, { wake: false });
    const { fence } = (await kit.store.getLease(thread.id)) ?? { fence: 0 };
    const message = { id: 'x', role: 'user', content: 'stored', created_at: 1 } as const;
    await kit.store.append(thread.id, fence, { messages: [message] });
    await thread.send('Go');
    const rows = (await thread.messages()).map(({ role, content }) => `${role}: ${content}`);
    expect(rows).toEqual([
      'user: stored',
      'user: Go',
      'assistant: A message that waited in the queue was dropped, because it cannot be stored: invalid_message.',
      'assistant: Done.',
    ]);
    expect(await kit.store.listQueue(thread.id)).toEqual([]);
  },
);

onBothStores('a message that waits is queued again to have it taken up', async (kit) => {
  const { thread } = await kit.thread({ script: ['Done.'] });
  await thread.queue({ id: 'x', role: 'user', content: 'queued' }, { wake: false });
  await thread.queue({ id: 'x', role: 'user', content: 'queued' });
  await thread.idle();
  expect(await thread.messages()).toHaveLength(2);
});
