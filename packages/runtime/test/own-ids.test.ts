import { spawnSync } from 'node:child_process';
import { type AnyHook, defineHook, type NewMessage, type ThreadState } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { defineAgent, definePrompt, defineTool } from '../src/index.ts';
import { type ScriptedStep, scriptedModel } from '../src/testing/index.ts';
import { afterCrash, hangAt } from './after-crash.ts';
import { bundleProgram } from './bundle-program.ts';
import { gate, lines, newFile, onBothStores, runWhatIsReady, thrownBy } from './kit.ts';
import { openLasting } from './lasting-store.ts';
import { ownWriter } from './own-writer.ts';
import { startRuntime } from './start-runtime.ts';

type Act = (state: ThreadState) => Promise<unknown>;

/** A hook that does something before each call of the model, and goes on. */
function acting(hook: 'filter_messages' | 'prefilter_llm_history', id: string, act: Act): AnyHook {
  return defineHook<'filter_messages'>({
    hook: hook as 'filter_messages',
    id,
    execute: async (state, messages) => {
      await act(state);
      return messages;
    },
  }) as AnyHook;
}

const x: NewMessage = { id: 'x', role: 'user', content: 'x' };
const writeX: Act = (state) => state.injectMessage(x);
const deleteX: Act = (state) => state.deleteMessage('x');
const writing = acting('filter_messages', 'writes', writeX);

/** A hook behind those, in which the process dies. */
function dying(open: () => void, act: Act = async () => {}): AnyHook {
  const hang = hangAt(open);
  return acting('prefilter_llm_history', 'z', async (state) => {
    await act(state);
    await hang();
  });
}

const changes: Readonly<Record<string, { act: Act; left: readonly string[] }>> = {
  'deleted it': { act: deleteX, left: [] },
  'deleted it twice': {
    act: async (state) => {
      await deleteX(state);
      await writeX(state);
      await deleteX(state);
    },
    left: [],
  },
  'gave it another role': {
    act: (state) => state.updateMessage('x', { role: 'system' }),
    left: ['system: x'],
  },
  'gave it another role and then deleted it': {
    act: async (state) => {
      await state.updateMessage('x', { role: 'system' });
      await deleteX(state);
    },
    left: [],
  },
  'put another one in its place': {
    act: async (state) => {
      await deleteX(state);
      await state.injectMessage({ ...x, content: 'another' });
    },
    left: ['user: another'],
  },
};

describe('a message under an id of its writer’s own is written once after a crash, where another hook', () => {
  for (const [what, { act, left }] of Object.entries(changes))
    onBothStores(what, async (kit) => {
      const { open, opened } = gate();
      const first = { policies: [writing, dying(open, act)], reached: opened };
      const thread = await afterCrash(kit, first, { policies: [writing], script: ['Done.'] });
      await thread.resume();
      expect(await lines(thread)).toEqual(['user: Go', ...left, 'assistant: Done.']);
    });

  onBothStores('deleted it when two hooks had written it', async (kit) => {
    const { open, opened } = gate();
    const policies = [writing, acting('filter_messages', 'also', writeX)];
    const first = { policies: [...policies, dying(open, deleteX)], reached: opened };
    const thread = await afterCrash(kit, first, { policies, script: ['Done.'] });
    await thread.resume();
    expect(await lines(thread)).toEqual(['user: Go', 'assistant: Done.']);
  });

  onBothStores('had given it the id, and deleted it or not', async (kit) => {
    for (const [threadId, act, left] of [
      ['a', deleteX, []],
      ['b', async () => {}, ['user: x']],
    ] as const) {
      const rename = defineHook({
        hook: 'before_create_message',
        id: 'renames',
        execute: async (_, message) => (message.id === 'y' ? { ...message, id: 'x' } : message),
      });
      const write = acting('filter_messages', 'writes', (state) => state.injectMessage({ ...x, id: 'y' }));
      const { open, opened } = gate();
      const first = { policies: [rename, write, dying(open, act)], reached: opened, threadId };
      const next = { policies: [rename, write], script: ['Done.'] };
      const thread = await afterCrash(kit, first, next);
      await thread.resume();
      expect(await lines(thread)).toEqual(['user: Go', ...left, 'assistant: Done.']);
    }
  });
});

onBothStores('what the application deletes before it resumes the turn is not written again', async (kit) => {
  const { open, opened } = gate();
  const first = { policies: [writing, dying(open)], reached: opened };
  const thread = await afterCrash(kit, first, { policies: [writing], script: ['Done.'] });
  expect(await thread.deleteMessage('x')).toBe(true);
  await thread.resume();
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: Done.']);
});

onBothStores('what its writer itself deletes and queues again is as it was', async (kit) => {
  const { open, opened } = gate();
  const replacing = acting('filter_messages', 'replaces', async (state) => {
    await deleteX(state);
    await writeX(state);
  });
  const clearing = acting('prefilter_llm_history', 'clears', async (state) => {
    await state.queueMessage(x);
    await deleteX(state);
  });
  const policies = [replacing, clearing];
  const first = { policies: [...policies, dying(open)], reached: opened };
  const thread = await afterCrash(kit, first, { policies, script: ['Done.'] });
  await thread.resume();
  await thread.idle();
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: Done.']);
  expect(await kit.store.listQueue('t')).toEqual([]);
});

describe('a message under an id of its writer’s own is written', () => {
  onBothStores('by who deletes it first and runs again', async (kit) => {
    const replace: Act = async (state) => {
      await deleteX(state);
      await writeX(state);
    };
    const policies = [acting('filter_messages', 'replaces', replace)];
    const { open, opened } = gate();
    const first = { policies: [...policies, dying(open)], reached: opened };
    const thread = await afterCrash(kit, first, { policies, script: ['Done.'] });
    await thread.resume();
    expect(await lines(thread)).toEqual(['user: Go', 'user: x', 'assistant: Done.']);
  });

  onBothStores('where one that deletes it runs before its writer, and both run again', async (kit) => {
    const policies = [acting('filter_messages', 'clears', deleteX), writing];
    const { open, opened } = gate();
    const first = { policies: [...policies, dying(open)], reached: opened };
    const thread = await afterCrash(kit, first, { policies, script: ['Done.'] });
    await thread.resume();
    expect(await lines(thread)).toEqual(['user: Go', 'user: x', 'assistant: Done.']);
  });

  onBothStores('in a step after the one in which it was deleted', async (kit) => {
    const work = defineTool({ name: 'work', execute: () => 'worked' });
    const ephemeral = [writing, acting('prefilter_llm_history', 'clears', deleteX)];
    const { open, opened } = gate();
    let step = 0;
    const dyingAtSecond = acting('filter_messages', 'a_dies', async () => {
      if (++step === 2) await hangAt(open)();
    });
    const seen: (readonly string[])[] = [];
    const see = acting('prefilter_llm_history', 'b_sees', async (state) => {
      seen.push((await state.getMessages()).map(({ id }) => (id === 'x' ? 'x' : 'other')));
    });
    const script: ScriptedStep[] = [{ toolCalls: [{ id: 'c1', name: 'work' }] }];
    const first = {
      tools: [work],
      policies: [dyingAtSecond, ...ephemeral],
      script,
      reached: opened,
    };
    const next = { tools: [work], policies: [writing, see], script: ['Done.'] };
    const thread = await afterCrash(kit, first, next);
    await thread.resume();
    expect(seen.at(-1)?.filter((id) => id === 'x')).toEqual(['x']);
    expect((await lines(thread)).at(-1)).toBe('assistant: Done.');
  });

  onBothStores('by another hook than those that had written it', async (kit) => {
    const { open, opened } = gate();
    const first = { policies: [writing, dying(open, deleteX)], reached: opened };
    const other = acting('prefilter_llm_history', 'other', writeX);
    const thread = await afterCrash(kit, first, { policies: [writing, other], script: ['Done.'] });
    await thread.resume();
    expect(await lines(thread)).toEqual(['user: Go', 'user: x', 'assistant: Done.']);
  });

  onBothStores('in the next turn, and by the application', async (kit) => {
    const { open, opened } = gate();
    const first = { policies: [writing, dying(open, deleteX)], reached: opened };
    const next = { policies: [writing], script: ['Done.', 'Done again.'] };
    const thread = await afterCrash(kit, first, next);
    await thread.resume();
    await thread.send('Go on');
    expect(await lines(thread)).toEqual([
      ...['user: Go', 'assistant: Done.', 'user: Go on', 'user: x', 'assistant: Done again.'],
    ]);
    await thread.deleteMessage('x');
    await thread.inject(x);
    expect((await lines(thread)).at(-1)).toBe('user: x');
  });
});

onBothStores('another role under the id is refused to a writer that runs again, as at first', async (kit) => {
  const codes: unknown[] = [];
  const both = acting('filter_messages', 'writes', async (state) => {
    await writeX(state);
    const { code } = await thrownBy(state.injectMessage({ ...x, role: 'system' }));
    codes.push(code);
  });
  const { open, opened } = gate();
  const first = { policies: [both, dying(open, deleteX)], reached: opened };
  const thread = await afterCrash(kit, first, { policies: [both], script: ['Done.'] });
  await thread.resume();
  expect(codes).toEqual(['invalid_message', 'invalid_message']);
});

describe('a hook that deletes what it finds and then writes it runs again: it is there', () => {
  for (const id of [undefined, 'x'])
    onBothStores(id === undefined ? 'under an id of its place' : 'under an id of its own', async (kit) => {
      const remind = acting('filter_messages', 'reminds', async (state) => {
        for (const { id: found, content } of await state.getMessages())
          if (content === 'remember') await state.deleteMessage(found);
        const message: NewMessage = { role: 'user', content: 'remember' };
        await state.injectMessage(id === undefined ? message : { ...message, id });
      });
      const { open, opened } = gate();
      const first = { policies: [remind, dying(open)], reached: opened };
      const thread = await afterCrash(kit, first, { policies: [remind], script: ['Done.'] });
      await thread.resume();
      expect(await lines(thread)).toEqual(['user: Go', 'user: remember', 'assistant: Done.']);
    });
});

onBothStores(
  'a message that a subagent’s tool wrote to the parent under an id stays deleted',
  async (kit) => {
    const { open, opened } = gate();
    const askHook = acting('filter_messages', 'asks', async (state) => {
      if (state.threadId === 't') await state.invokeTool('ask', { task: 'tell' });
    });
    const setup = (after: (parent: ThreadState | null) => unknown, expert: readonly ScriptedStep[]) => {
      const tell = defineTool({
        name: 'tell',
        onInterrupted: 'retry',
        execute: async (_, { state }) => {
          const parent = await state.getParentThread();
          await parent?.injectMessage(x);
          await after(parent);
          return 'told';
        },
      });
      return {
        models: { scripted: scriptedModel(['Done.']), expert: scriptedModel(expert) },
        tools: [defineTool({ name: 'ask', agent: 'expert' }), tell],
        agents: [defineAgent({ name: 'expert', prompt: 'expert' })],
        prompt: { tools: ['ask'], model: 'scripted' },
        prompts: [definePrompt({ name: 'expert', model: 'expert', tools: ['tell'] })],
        policies: [askHook],
      };
    };
    const clears = defineHook({
      hook: 'after_create_message',
      id: 'clears',
      execute: async (state, { id }) => {
        if (id === 'x') await state.deleteMessage('x');
      },
    }) as AnyHook;
    const first = setup(hangAt(open), [{ toolCalls: [{ id: 'k1', name: 'tell' }] }]);
    const thread = await afterCrash(
      kit,
      { ...first, policies: [clears, askHook], reached: opened },
      setup(() => {}, ['told it']),
    );
    await thread.resume();
    expect(await lines(thread)).toEqual(['user: Go', 'assistant: Done.']);
  },
);

test.each(['inject', 'queue'])(
  'a message that was deleted before its process was killed is not there again: %s',
  async (write) => {
    const path = newFile();
    const program = await bundleProgram('deleting-process');
    const { signal } = spawnSync(process.execPath, [program, path, write], { stdio: 'inherit' });
    expect(signal).toBe('SIGKILL');
    await runWhatIsReady(30); // Its lease runs out.
    const store = openLasting(path, 'FULL');
    const { runtime } = startRuntime(store, { policies: [ownWriter(write)], script: ['Done.'], lease: 20 });
    const thread = await runtime.openThread('t');
    await thread.resume();
    const stored = await lines(thread);
    expect(stored.at(-1)).toBe('assistant: Done.');
    expect(stored).not.toContain('user: written');
    expect(await store.listQueue('t')).toEqual([]);
    await runtime.close();
  },
);

describe('a message that is queued under an id of its own', () => {
  onBothStores('waits for the step after the one that runs again', async (kit) => {
    const { open, opened } = gate();
    const work = defineTool({ name: 'work', execute: () => 'worked' });
    const queueing = acting('filter_messages', 'writes', async (state) => {
      if (state.execution.stepCount === 1) await state.queueMessage(x);
    });
    const script: ScriptedStep[] = [{ toolCalls: [{ id: 'c1', name: 'work' }] }, 'Done.'];
    const first = { tools: [work], policies: [queueing, dying(open)], reached: opened };
    const thread = await afterCrash(kit, first, { tools: [work], policies: [queueing], script });
    await thread.resume();
    expect(await thread.messages()).toContainEqual(
      expect.not.objectContaining({ queued_from: expect.anything() }),
    );
    expect(await lines(thread)).toEqual([
      ...['user: Go', 'assistant: null', 'tool: worked', 'user: x', 'assistant: Done.'],
    ]);
    const stored = (await thread.messages()).find(({ id }) => id === 'x');
    expect(Object.keys(stored ?? {}).toSorted()).toEqual(['content', 'created_at', 'id', 'role']);
  });

  for (const isBatch of [false, true])
    onBothStores(
      `leaves the queue when it is injected, ${isBatch ? 'in a batch' : 'at rest'}`,
      async (kit) => {
        const act: Act = async (state) => {
          await state.queueMessage(x);
          await state.injectMessage({ ...x, content: 'injected' });
        };
        const work = defineTool({
          name: 'work',
          execute: async (_, { state }) => {
            await act(state);
            return 'worked';
          },
        });
        const script: ScriptedStep[] = isBatch
          ? [{ toolCalls: [{ id: 'c1', name: 'work' }] }, 'Done.']
          : ['Done.'];
        const clears = defineHook({
          hook: 'after_create_message',
          id: 'clears',
          execute: async (state, { id }) => {
            if (id === 'x') await state.deleteMessage('x');
          },
        });
        const { thread } = await kit.thread({ tools: [work], policies: [clears], script });
        if (!isBatch) {
          await thread.queue(x, { wake: false });
          await thread.inject({ ...x, content: 'injected' });
          expect(await kit.store.listQueue(thread.id)).toEqual([]);
        }
        await thread.send('Go');
        await thread.idle();
        expect((await lines(thread)).filter((line) => line.startsWith('user'))).toEqual(['user: Go']);
        expect(await kit.store.listQueue(thread.id)).toEqual([]);
      },
    );
});
