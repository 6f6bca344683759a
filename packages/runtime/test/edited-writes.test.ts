import { type AnyHook, defineHook, type HookMessage, type ThreadState } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { defineAgent, definePrompt, defineTool, type Store } from '../src/index.ts';
import { type Journal, journalEngine, type ScriptedStep, scriptedModel } from '../src/testing/index.ts';
import { afterCrash, hangAt } from './after-crash.ts';
import { gate, lines, never, onBothStores, runWhatIsReady } from './kit.ts';
import { Mortality } from './mortal-store.ts';
import { startRuntime } from './start-runtime.ts';

type Edit = (state: ThreadState, written: readonly HookMessage[]) => Promise<unknown>;

/** The texts of the messages that a hook writes; two are the same. */
const TEXTS = ['one', 'two', 'one'];

const edits: Readonly<Record<string, { edit: Edit; left: readonly string[] }>> = {
  'its text': {
    edit: (state, [first]) => state.updateMessage(first?.id ?? '', { content: 'edited' }),
    left: ['user: edited', 'user: two', 'user: one'],
  },
  'its text, twice': {
    edit: async (state, [first]) => {
      await state.updateMessage(first?.id ?? '', { content: 'edited' });
      await state.updateMessage(first?.id ?? '', { content: 'edited again' });
    },
    left: ['user: edited again', 'user: two', 'user: one'],
  },
  'its text to that of another': {
    edit: (state, [first]) => state.updateMessage(first?.id ?? '', { content: 'two' }),
    left: ['user: two', 'user: two', 'user: one'],
  },
  'the texts of all at once': {
    edit: (state, written) =>
      Promise.all(written.map(({ id }, at) => state.updateMessage(id, { content: `edited ${at}` }))),
    left: ['user: edited 0', 'user: edited 1', 'user: edited 2'],
  },
  'its role': {
    edit: (state, [, second]) => state.updateMessage(second?.id ?? '', { role: 'system' }),
    left: ['user: one', 'system: two', 'user: one'],
  },
  'a field of its own': {
    edit: (state, [, second]) => state.updateMessage(second?.id ?? '', { metadata: { seen: true } }),
    left: ['user: one', 'user: two', 'user: one'],
  },
  'that it is there': {
    edit: (state, [first]) => state.deleteMessage(first?.id ?? ''),
    left: ['user: two', 'user: one'],
  },
  'the text of one and that another is there': {
    edit: async (state, [first, , third]) => {
      await state.updateMessage(first?.id ?? '', { content: 'edited' });
      await state.deleteMessage(third?.id ?? '');
    },
    left: ['user: edited', 'user: two'],
  },
};

function writer(texts: readonly string[]): AnyHook {
  return defineHook({
    hook: 'filter_messages',
    id: 'writes',
    execute: async (state, messages) => {
      for (const content of texts) await state.injectMessage({ role: 'user', content });
      return messages;
    },
  }) as AnyHook;
}

function editor(edit: Edit, after: () => Promise<never>): AnyHook {
  return defineHook({
    hook: 'prefilter_llm_history',
    id: 'edits',
    execute: async (state) => {
      const messages = await state.getMessages();
      await edit(
        state,
        messages.filter(({ id }) => id.includes('.writes.')),
      );
      return after();
    },
  }) as AnyHook;
}

describe('a message that a hook wrote is written once after a crash, whatever another hook changed', () => {
  for (const [what, { edit, left }] of Object.entries(edits)) {
    onBothStores(what, async (kit) => {
      const { open, opened } = gate();
      const dying = { policies: [writer(TEXTS), editor(edit, hangAt(open))], reached: opened };
      const next = { policies: [writer(TEXTS)], script: ['Done.'] };
      const thread = await afterCrash(kit, dying, next);
      await thread.resume();
      expect(await lines(thread)).toEqual(['user: Go', ...left, 'assistant: Done.']);
    });
  }
});

onBothStores('a message that a hook writes for the first time is no edited one', async (kit) => {
  const { open, opened } = gate();
  const edit: Edit = (state, [first]) => state.updateMessage(first?.id ?? '', { content: 'edited' });
  const dying = { policies: [writer(['before']), editor(edit, hangAt(open))], reached: opened };
  const thread = await afterCrash(kit, dying, { policies: [writer(['after'])], script: ['Done.'] });
  await thread.resume();
  expect(await lines(thread)).toEqual(['user: Go', 'user: edited', 'user: after', 'assistant: Done.']);
});

onBothStores('what the application edits before it resumes the turn is written once', async (kit) => {
  const { open, opened } = gate();
  const dying = { policies: [writer(TEXTS), editor(async () => {}, hangAt(open))], reached: opened };
  const thread = await afterCrash(kit, dying, { policies: [writer(TEXTS)], script: ['Done.'] });
  const [, one, two] = await thread.messages();
  await thread.update(one?.id ?? '', { content: 'edited' });
  await thread.deleteMessage(two?.id ?? '');
  await thread.resume();
  expect(await lines(thread)).toEqual(['user: Go', 'user: edited', 'user: one', 'assistant: Done.']);
});

onBothStores('an edited message that was queued is queued once', async (kit) => {
  const { open, opened } = gate();
  const work = defineTool({ name: 'work', execute: () => 'worked' });
  const queue = defineHook({
    hook: 'after_tool_batch',
    id: 'writes',
    execute: async (state) => {
      await state.queueMessage({ role: 'user', content: 'queued' });
      return null;
    },
  });
  const edit: Edit = async (state, [first]) => {
    if (first !== undefined) await state.updateMessage(first.id, { content: 'edited' });
  };
  const hang = hangAt(open);
  const atSecondStep = defineHook({
    hook: 'prefilter_llm_history',
    id: 'edits',
    execute: async (state, messages) => {
      const written = (await state.getMessages()).filter(({ id }) => id.includes('.writes.'));
      await edit(state, written);
      return written.length > 0 ? hang() : messages;
    },
  });
  const script: ScriptedStep[] = [{ toolCalls: [{ id: 'c1', name: 'work' }] }];
  const dying = { tools: [work], policies: [queue, atSecondStep], script, reached: opened };
  const thread = await afterCrash(kit, dying, { tools: [work], policies: [queue], script: ['Done.'] });
  await thread.resume();
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'assistant: null', 'tool: worked', 'user: edited', 'assistant: Done.'],
  ]);
});

onBothStores('an edited message that a subagent’s tool wrote to the parent is there once', async (kit) => {
  const { open, opened } = gate();
  const edit = defineHook({
    hook: 'after_create_message',
    id: 'edits',
    execute: async (state, { id, content }) => {
      if (content === 'told') await state.updateMessage(`${id}`, { content: 'edited' });
    },
  });
  const askHook = defineHook({
    hook: 'filter_messages',
    id: 'asks',
    execute: async (state, messages) => {
      if (state.threadId === 't') await state.invokeTool('ask', { task: 'tell' });
      return messages;
    },
  });
  const setup = (after: () => unknown, expert: readonly ScriptedStep[]) => {
    const tell = defineTool({
      name: 'tell',
      onInterrupted: 'retry',
      execute: async (_, { state }) => {
        const parent = await state.getParentThread();
        await parent?.injectMessage({ role: 'user', content: 'told' });
        await after();
        return 'told';
      },
    });
    return {
      models: { scripted: scriptedModel(['Done.']), expert: scriptedModel(expert) },
      tools: [defineTool({ name: 'ask', agent: 'expert' }), tell],
      agents: [defineAgent({ name: 'expert', prompt: 'expert' })],
      prompt: { tools: ['ask'], model: 'scripted' },
      prompts: [definePrompt({ name: 'expert', model: 'expert', tools: ['tell'] })],
      policies: [edit, askHook],
    };
  };
  const dying = setup(hangAt(open), [{ toolCalls: [{ id: 'k1', name: 'tell' }] }]);
  const thread = await afterCrash(
    kit,
    { ...dying, reached: opened },
    setup(() => {}, ['told it']),
  );
  await thread.resume();
  expect(await lines(thread)).toEqual(['user: Go', 'user: edited', 'assistant: Done.']);
});

for (const input of ['Go', { id: 'x', content: 'Go' }])
  onBothStores(
    `what a turn began with stays deleted where its engine begins it again, ${typeof input === 'string' ? 'under an id of the turn' : 'under an id of its own'}`,
    async (kit) => {
      const journal: Journal = new Map();
      const begun = gate();
      const mortality = new Mortality();
      const store = mortality.storeOf(kit.store);
      const dying: Store = {
        ...kit.store,
        acquireLease: store.acquireLease,
        renewLease: store.renewLease,
        async append(...given) {
          await store.append(...given);
          if (given[2].thread?.turn == null) return;
          mortality.die(); // The engine does not hear of it.
          begun.open();
          await never();
        },
      };
      const engine = journalEngine({ journal });
      const first = startRuntime(dying, { lease: 20, engine });
      const dead = await first.runtime.createThread({ agent: 'agent', id: 't' });
      void dead.send(input);
      await begun.opened;
      await runWhatIsReady(30); // Its lease runs out.
      const thread = await kit.start({ lease: 20, engine, script: ['Done.'] }).runtime.openThread('t');
      const [user] = await thread.messages();
      expect(user).toMatchObject({ content: 'Go' });
      await thread.deleteMessage(user?.id ?? '');
      await thread.resume();
      expect(await lines(thread)).toEqual(['assistant: Done.']);
    },
  );

onBothStores('what was deleted in a step that left nothing else behind is not written again', async (kit) => {
  const { open, opened } = gate();
  const work = defineTool({ name: 'work', execute: () => 'worked' });
  const hang = hangAt(open);
  const atSecondStep = defineHook({
    hook: 'prefilter_llm_history',
    id: 'deletes',
    execute: async (state, messages) => {
      const seen = (await state.getMessages()).find(({ id }) => id.includes('.2.answer.'));
      if (seen === undefined) return messages;
      await state.deleteMessage(seen.id);
      return hang();
    },
  });
  const script: ScriptedStep[] = [{ toolCalls: [{ id: 'c1', name: 'work' }] }];
  const policies = [writer(['seen'])];
  const dying = { tools: [work], policies: [...policies, atSecondStep], script, reached: opened };
  const thread = await afterCrash(kit, dying, { tools: [work], policies, script: ['Done.'] });
  await thread.resume();
  expect(await lines(thread)).toEqual([
    ...['user: Go', 'user: seen', 'assistant: null', 'tool: worked', 'assistant: Done.'],
  ]);
});
