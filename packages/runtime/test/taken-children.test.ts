import { type AnyHook, defineHook } from '@spec/hooks';
import { expect, vi } from 'vitest';
import { defineAgent, definePrompt, defineTool, type TurnContext } from '../src/index.ts';
import { gate, type Kit, onBothStores, type Setup } from './kit.ts';

/** What an engine gives that runs one turn of a thread at a time. */
const context: TurnContext = {
  attempt: 1,
  isExclusive: true,
  step: (_name, run) => run(),
  now: () => Date.now() * 1_000,
};

const helper: Setup = {
  agents: [defineAgent({ name: 'helper', prompt: 'helper' })],
  prompts: [definePrompt({ name: 'helper' })],
  tools: [defineTool({ name: 'ask_helper', agent: 'helper' })],
};

const asking = { toolCalls: [{ name: 'ask_helper', input: { text: 'help' } }] };
const childId = 't~a.1.result.0';
const said = { id: 'a.0.user', role: 'user' as const, content: 'hi', created_at: 1 };
const request = { id: 'a', messages: [said], isNamed: true as const };
const again = { ...request, messages: [] };

/** A step of a model that hangs until it is let go on. */
function makeHanging() {
  const { opened, open } = gate();
  const { opened: isReached, open: reach } = gate();
  const step = async (): Promise<string> => {
    reach();
    await opened;
    return 'helped too late';
  };
  return { step, isReached, open };
}

/** Holds the child up before its turn begins. */
function holdChildUp() {
  const { opened, open } = gate();
  const { opened: isReached, open: reach } = gate();
  const hook = defineHook({
    hook: 'after_session_started',
    id: 'wait',
    execute: async ({ agentId }) => {
      if (agentId !== 'helper') return null;
      reach();
      await opened;
      return null;
    },
  });
  return { hook: hook as AnyHook, isReached, open };
}

/** Takes the child as a worker does that stood still. */
function stealChild({ store }: Kit) {
  return store.takeOver({ threadId: childId, owner: 'zombie', ttlMs: 60_000 });
}

/** What the child and its parent hold in the end. */
async function expectHelped({ store }: Kit): Promise<void> {
  const read = async (id: string) => (await store.listMessages(id)).map(({ content }) => content);
  expect(await read('t')).toEqual(['hi', null, 'helped', 'Done.']);
  expect(await read(childId)).toEqual(['help', 'helped']);
  for (const id of ['t', childId]) expect((await store.getThread(id))?.turn).toBeNull();
}

onBothStores(
  'a call that was cut off as its attempt was given up is no stopped one for the next attempt in the same worker',
  async (kit) => {
    const { step, isReached, open } = makeHanging();
    const { runtime } = kit.start({ ...helper, script: [asking, step, 'helped', 'Done.'] });
    await runtime.createThread({ agent: 'agent', id: 't' });
    const attempt = new AbortController();
    const first = runtime.runTurn('t', request, { ...context, givenUp: attempt.signal });
    first.catch(() => {});
    await isReached;
    attempt.abort();
    const { text } = await runtime.runTurn('t', again, context);
    open();
    await expect(first).rejects.toMatchObject({ code: 'thread_busy' });
    expect(text).toBe('Done.');
    await expectHelped(kit);
  },
);

onBothStores('a child whose lease is taken before its turn has begun is taken back', async (kit) => {
  const { hook, isReached, open } = holdChildUp();
  const { runtime } = kit.start({ ...helper, policies: [hook], script: [asking, 'helped', 'Done.'] });
  await runtime.createThread({ agent: 'agent', id: 't' });
  const turn = runtime.runTurn('t', request, context);
  await isReached;
  await stealChild(kit);
  open();
  expect(await turn).toMatchObject({ status: 'completed', text: 'Done.' });
  await expectHelped(kit);
});

onBothStores(
  'a child goes on whose lease is taken, and given back, while its model is asked',
  async (kit) => {
    const { step, isReached, open } = makeHanging();
    const { runtime } = kit.start({ ...helper, script: [asking, step, 'helped', 'Done.'] });
    await runtime.createThread({ agent: 'agent', id: 't' });
    const turn = runtime.runTurn('t', request, context);
    await isReached;
    const { lease } = await stealChild(kit);
    await kit.store.releaseLease(lease);
    open();
    expect(await turn).toMatchObject({ status: 'completed', text: 'Done.' });
    await expectHelped(kit);
  },
);

onBothStores('whoever has lost the parent does not take the child back', async (kit) => {
  const { hook, isReached, open } = holdChildUp();
  const old = kit.start({ ...helper, policies: [hook], script: [asking] }).runtime;
  await old.createThread({ agent: 'agent', id: 't' });
  const first = old.runTurn('t', request, context);
  first.catch(() => {});
  await isReached;
  const takeOver = vi.spyOn(kit.store, 'takeOver');
  const held = holdChildUp();
  const script = ['helped', 'Done.'];
  const next = kit.start({ ...helper, policies: [held.hook], script }).runtime;
  const second = next.runTurn('t', again, context);
  await held.isReached;
  open();
  await expect(first).rejects.toMatchObject({ code: 'thread_busy', threadId: 't' });
  expect(takeOver).toHaveBeenCalledTimes(2);
  held.open();
  expect((await second).text).toBe('Done.');
  await expectHelped(kit);
});
