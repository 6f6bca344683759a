import { type AnyHook, defineHook, type ThreadState } from '@spec/hooks';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterCrash, hangAt } from '../../test/after-crash.ts';
import { gate, type Kit, lines, onBothStores, thrownBy } from '../../test/kit.ts';
import { type AnyTool, defineAgent, definePrompt, defineTool, type Thread } from '../index.ts';
import { type ScriptedStep, scriptedModel } from '../testing/index.ts';
import { globalId, idPart, readTextOfPart } from './ids.ts';
import { Place } from './place.ts';

const ask = defineTool({ name: 'ask', agent: 'expert' });
const callAsk = (task: string) => ({ toolCalls: [{ id: 'c1', name: 'ask', input: { task } }] });

/** A host whose tool is an agent, which says what it was told. */
function withExpert(script: readonly ScriptedStep[], expert: readonly ScriptedStep[] = [echo, echo]) {
  return {
    models: { scripted: scriptedModel(script), expert: scriptedModel(expert) },
    tools: [ask] as AnyTool[],
    agents: [defineAgent({ name: 'expert', prompt: 'expert' })],
    prompt: { tools: ['ask'], model: 'scripted' },
    prompts: [definePrompt({ name: 'expert', model: 'expert' })],
  };
}

const echo: ScriptedStep = ({ prompt }) => `told: ${JSON.stringify(prompt.at(-1)?.content)}`;

/** Injects a text, the first time only that it is asked. */
function injectOnce(hook: 'before_tool_call' | 'filter_messages', text = 'once'): AnyHook {
  return defineHook({
    hook,
    id: 'tell_once',
    ...(hook === 'before_tool_call' ? { match: 'ask' } : {}),
    execute: (async (state: ThreadState, messages: unknown) => {
      await writeOnce(state, text);
      return hook === 'filter_messages' ? messages : null;
    }) as never,
  }) as AnyHook;
}

async function writeOnce(state: ThreadState, text: string): Promise<void> {
  if ((await state.getValue('told')) === true) return;
  await state.setValue('told', true);
  await state.injectMessage({ role: 'user', content: text });
}

async function listChildren(kit: Kit, parentId: string): Promise<string[]> {
  return (await kit.store.listThreads({ parentId })).map(({ id }) => id);
}

describe('two threads with a turn of one id', () => {
  onBothStores('each have subagents of their own', async (kit) => {
    const { runtime } = kit.start(withExpert([callAsk('of alice'), 'one', callAsk('of bob'), 'two']));
    for (const id of ['alice', 'bob']) {
      const thread = await runtime.createThread({ agent: 'agent', id });
      await thread.send('Go', { id: 'request-1' });
      expect((await lines(thread))[2]).toContain(`of ${id}`);
      expect(await listChildren(kit, id)).toEqual([`${id}~request-1.1.result.0`]);
    }
  });

  onBothStores('go on with their own after a crash', async (kit) => {
    const alice = kit.start({ ...withExpert([callAsk('of alice'), 'one']), lease: 20 });
    await (await alice.runtime.createThread({ agent: 'agent', id: 'alice' })).send('Go', { id: 'request-1' });
    const { open, opened } = gate();
    const hang = defineHook({ hook: 'before_tool_call', id: 'hang', execute: hangAt(open) });
    const dying = {
      ...withExpert([callAsk('of bob')]),
      policies: [hang],
      threadId: 'bob',
      turnId: 'request-1',
    };
    const bob = await afterCrash(kit, { ...dying, reached: opened }, withExpert(['done']));
    await bob.resume();
    expect((await lines(bob))[2]).toContain('of bob');
  });

  onBothStores('never take a thread that is no child of theirs', async (kit) => {
    const { open, opened } = gate();
    const hang = defineHook({ hook: 'before_tool_call', id: 'hang', execute: hangAt(open) });
    const dying = { ...withExpert([callAsk('of bob')]), policies: [hang], threadId: 'bob', turnId: 'turn' };
    const bob = await afterCrash(kit, { ...dying, reached: opened }, withExpert(['done']));
    const id = 'bob~turn.1.result.0';
    const record = await kit.store.getThread('bob');
    await kit.store.createThread({ ...record, id, parentId: 'alice', turn: null } as never);
    await bob.resume();
    expect((await lines(bob))[2]).toBe(
      `tool: thread ${id} is in the store already; open it, or create one under another id`,
    );
    expect(await bob.state.getChildThread(id)).toBeNull();
    expect(await kit.store.countMessages(id)).toBe(0);
  });
});

describe('a hook that writes less after a crash than before', () => {
  onBothStores('shifts no child thread: it goes on where it was', async (kit) => {
    const { open, opened } = gate();
    let paid = 0;
    const payTool = (run: () => unknown) =>
      defineTool({
        name: 'pay',
        execute: async () => {
          paid++;
          return String(await run());
        },
      });
    const pay = { toolCalls: [{ id: 'k1', name: 'pay' }] };
    const setup = (script: readonly ScriptedStep[], expert: readonly ScriptedStep[], run: () => unknown) => ({
      ...withExpert(script, expert),
      tools: [ask, payTool(run)],
      prompts: [definePrompt({ name: 'expert', model: 'expert', tools: ['pay'] })],
      policies: [injectOnce('before_tool_call')],
    });
    const dying = setup([callAsk('pay')], [pay], hangAt(open));
    const thread = await afterCrash(
      kit,
      { ...dying, reached: opened },
      setup(['done'], [echo], () => 'paid again'),
    );
    await thread.resume();
    expect(paid).toBe(1);
    expect(await kit.store.listThreads({ interrupted: true })).toEqual([]);
    expect(await listChildren(kit, 't')).toHaveLength(1);
    const [, , result, told] = await lines(thread);
    expect(result).toContain('It is unknown whether it ran');
    expect(told).toBe('user: once');
  });

  onBothStores('loses no message of another hook', async (kit) => {
    const { open, opened } = gate();
    const each = (before: () => unknown) =>
      defineHook({
        hook: 'filter_messages',
        id: 'each',
        execute: async (state, messages) => {
          await before();
          const { content } = await state.injectMessage({ role: 'user', content: 'each time' });
          expect(content).toBe('each time');
          return messages;
        },
      });
    const policies = [injectOnce('filter_messages'), each(hangAt(open))];
    const next = { policies: [injectOnce('filter_messages'), each(() => {})], script: ['Done.'] };
    const thread = await afterCrash(kit, { policies, reached: opened }, next);
    await thread.resume();
    expect(await lines(thread)).toEqual(['user: Go', 'user: once', 'user: each time', 'assistant: Done.']);
  });

  onBothStores('loses and doubles nothing of its own', async (kit) => {
    const { open, opened } = gate();
    const writes = (after: () => unknown) =>
      defineHook({
        hook: 'filter_messages',
        id: 'writes',
        execute: async (state, messages) => {
          await writeOnce(state, 'once');
          await state.injectMessage({ role: 'user', content: 'stored before' });
          await after();
          await state.injectMessage({ role: 'user', content: 'lost with the process' });
          await state.injectMessage({ role: 'user', content: 'stored before' });
          return messages;
        },
      });
    const next = { policies: [writes(() => {})], script: ['Done.'] };
    const thread = await afterCrash(kit, { policies: [writes(hangAt(open))], reached: opened }, next);
    await thread.resume();
    expect(await lines(thread)).toEqual([
      'user: Go',
      'user: once',
      'user: stored before',
      'user: lost with the process',
      'user: stored before',
      'assistant: Done.',
    ]);
  });

  onBothStores('may write at once, in any order', async (kit) => {
    const { open, opened } = gate();
    const writes = (texts: readonly string[], after: () => unknown) =>
      defineHook({
        hook: 'filter_messages',
        id: 'writes',
        execute: async (state, messages) => {
          await Promise.all(texts.map((content) => state.injectMessage({ role: 'user', content })));
          await after();
          return messages;
        },
      });
    const next = { policies: [writes(['c', 'b', 'new', 'a'], () => {})], script: ['Done.'] };
    const dying = { policies: [writes(['a', 'b', 'c'], hangAt(open))], reached: opened };
    const thread = await afterCrash(kit, dying, next);
    await thread.resume();
    expect((await lines(thread)).toSorted()).toEqual(
      ['user: Go', 'user: a', 'user: b', 'user: c', 'user: new', 'assistant: Done.'].toSorted(),
    );
  });
});

onBothStores('what a subagent’s tool writes to the parent is there once after a crash', async (kit) => {
  const { open, opened } = gate();
  const tell = (after: () => unknown) =>
    defineTool({
      name: 'tell',
      onInterrupted: 'retry',
      execute: async (_, { state }) => {
        const parent = (await state.getParentThread()) as ThreadState;
        await parent.injectMessage({ role: 'user', content: 'told by the subagent' });
        await parent.queueMessage({ role: 'user', content: 'queued by the subagent' });
        await (await state.getParentThread())?.injectMessage({
          role: 'user',
          content: 'told by the subagent',
        });
        await after();
        return 'told';
      },
    });
  const setup = (script: readonly ScriptedStep[], expert: readonly ScriptedStep[], after: () => unknown) => ({
    ...withExpert(script, expert),
    tools: [ask, tell(after)],
    prompts: [definePrompt({ name: 'expert', model: 'expert', tools: ['tell'] })],
  });
  const dying = setup([callAsk('x')], [{ toolCalls: [{ id: 'k1', name: 'tell' }] }], hangAt(open));
  const next = setup(['done'], ['kid done'], () => {});
  const thread = await afterCrash(kit, { ...dying, reached: opened }, next);
  await thread.resume();
  expect(await lines(thread)).toEqual([
    'user: Go',
    'assistant: null',
    'tool: kid done',
    'user: told by the subagent',
    'user: told by the subagent',
    'user: queued by the subagent',
    'assistant: done',
  ]);
});

describe('an id that the runtime gives', () => {
  const taken = ['req2.1.answer', 'req2.0.user', 'req2.1.result.0', 'a~req2.1.answer.hook.i1'];

  onBothStores('can be given by nobody else', async (kit) => {
    const { runtime, thread } = await kit.thread({ script: ['one', 'two'] });
    for (const id of taken) {
      const message = { role: 'user', content: 'x', id } as const;
      for (const writing of [
        () => thread.inject(message),
        () => thread.queue(message),
        () => thread.send({ content: 'x', id }),
        () => runtime.createThread({ agent: 'agent', id }),
      ])
        expect(await thrownBy(writing())).toMatchObject({
          code: 'invalid_input',
          message: expect.stringContaining('form of the ids that the runtime gives'),
        });
    }
    expect(await lines(thread)).not.toContain('user: x');
  });

  onBothStores('can be given by no hook', async (kit) => {
    const rename = defineHook({
      hook: 'before_create_message',
      id: 'rename',
      execute: async (_, message) =>
        message.content === 'x' ? { ...message, id: 'req2.1.answer' } : message,
    });
    const { thread } = await kit.thread({ policies: [rename], script: ['one'] });
    expect(await thrownBy(thread.inject({ role: 'user', content: 'x' }))).toMatchObject({
      code: 'invalid_input',
    });
    await thread.send('pay', { id: 'req2' });
    expect(await lines(thread)).toEqual(['user: pay', 'assistant: one']);
  });

  onBothStores('is no other turn’s, whatever their ids are', async (kit) => {
    const { thread } = await kit.thread({ script: Array.from({ length: 9 }, (_, n) => `answer ${n}`) });
    const ids = ['a', 'a.1', 'a.1.answer', 'a.1.answer.0', 'a%2E1', 'a~1', 'a.0.user'];
    for (const id of ids) await thread.send(`go ${id}`, { id });
    expect(await lines(thread)).toEqual(ids.flatMap((id, n) => [`user: go ${id}`, `assistant: answer ${n}`]));
  });
});

describe('an id that another message has, from an import or an older release', () => {
  const withMessage = async (kit: Kit, id: string): Promise<Thread> => {
    const pay = defineTool({ name: 'pay', execute: () => 'paid' });
    const script = [{ toolCalls: [{ id: 'c1', name: 'pay' }] }, 'Done.'];
    const { thread } = await kit.thread({ tools: [pay], script });
    const { fence } = (await kit.store.getLease(thread.id)) ?? { fence: 0 };
    const message = { id, role: 'user', content: 'imported', created_at: 1 } as const;
    await kit.store.append(thread.id, fence, { messages: [message] });
    return thread;
  };

  onBothStores('is not taken for the turn’s own: nothing runs that is not stored', async (kit) => {
    const thread = await withMessage(kit, 'pay.1.answer');
    expect(await thrownBy(thread.send('pay', { id: 'pay' }))).toMatchObject({ code: 'invalid_message' });
    expect((await lines(thread)).filter((line) => line.startsWith('tool'))).toEqual([]);
  });

  onBothStores('keeps a turn from beginning whose message it is', async (kit) => {
    const thread = await withMessage(kit, 'pay.0.user');
    expect(await thrownBy(thread.send('pay', { id: 'pay' }))).toMatchObject({ code: 'invalid_input' });
    expect(await thread.send('pay', { id: 'pay-2' })).toMatchObject({ status: 'completed' });
  });
});

onBothStores('a caller’s id is one message: another role under it is refused', async (kit) => {
  const { thread } = await kit.thread({});
  await thread.inject({ id: 'mine', role: 'user', content: 'x' });
  expect(await thread.inject({ id: 'mine', role: 'user', content: 'x' })).toMatchObject({ content: 'x' });
  const other = thread.inject({ id: 'mine', role: 'assistant', content: 'y' });
  expect(await thrownBy(other)).toMatchObject({ code: 'invalid_message' });
});

onBothStores('the turn of a subagent’s caller is nobody else’s', async (kit) => {
  const { runtime } = kit.start(withExpert([callAsk('x'), 'done']));
  const thread = await runtime.createThread({ agent: 'agent', id: 't' });
  await thread.send('Go', { id: 'turn' });
  const child: Thread = await runtime.openThread('t~turn.1.result.0');
  expect(await thrownBy(child.send('hello', { id: 'task' }))).toMatchObject({ code: 'invalid_input' });
  expect(await child.send('hello', { id: 'other' })).toMatchObject({ status: 'completed' });
});

describe('two places never have one id', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '.', '~', '%', '1', '2E', 'i1', '.1.', '~a'),
    maxLength: 5,
  });

  test('what comes from outside is one part, and comes back', () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(idPart(one)).not.toMatch(/[.~]/);
        expect(readTextOfPart(idPart(one))).toBe(one);
      }),
    );
  });

  test('whatever threads, turns, steps and writers are called', () => {
    const place = fc.record({ thread: text, turn: text, step: fc.nat(3), writer: text, tool: text });
    fc.assert(
      fc.property(place, place, (one, other) => {
        const [a, b] = [one, other].map(({ thread, turn, step, writer, tool }) => {
          const at = Place.of(`${idPart(turn)}.${step}.result.0`, { mayRepeat: false, sharesCounter: false });
          return globalId(thread, at.nextId(writer, `${idPart(tool)}-`));
        });
        expect(a === b).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 2_000 },
    );
  });
});
