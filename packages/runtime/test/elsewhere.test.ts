import { defineHook } from '@spec/hooks';
import { afterEach, expect, test, vi } from 'vitest';
import {
  type CreateEngine,
  defineAgent,
  definePrompt,
  defineTool,
  type Engine,
  memoryStore,
  type Runtime,
  readOutcome,
  type Signals,
  type Store,
  type ThreadEvent,
  type TurnContext,
  type TurnResult,
} from '../src/index.ts';
import { gate, lines } from './kit.ts';
import { type Setup, startRuntime } from './start-runtime.ts';

/** What is sent to an engine goes over a wire. */
const overWire = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** What an engine gives that runs one turn of a thread at a time. */
const context: TurnContext = {
  attempt: 1,
  isExclusive: true,
  step: (_name, run) => run(),
  now: () => Date.now() * 1_000,
};

const started: Runtime[] = [];
afterEach(async () => {
  await Promise.allSettled(started.splice(0).map((runtime) => runtime.close()));
});

interface Elsewhere {
  readonly store: Store;
  /** Runs no turn. */
  readonly sender: Runtime;
  /** Starts another process that runs turns; the newest one gets them. */
  startWorker(setup?: Setup): Runtime;
  /** How many turns were woken. */
  woken(): number;
}

/** A runtime that sends, and others that run: each with leases and caches of its own, over one store. */
function startElsewhere(setup: Setup = {}): Elsewhere {
  const store = { ...memoryStore(), close: async () => {} };
  const workers: Runtime[] = [];
  let woken = 0;
  const running = new Map<string, Promise<TurnResult>>();
  const engine: CreateEngine = (): Engine => {
    const submit: Engine['submit'] = (threadId, request) => {
      const known = running.get(request.id);
      if (known !== undefined) return known;
      const turn = (workers.at(-1) as Runtime).runTurn(threadId, overWire(request), context);
      running.set(request.id, turn);
      return turn;
    };
    return {
      isRemote: true,
      submit,
      resume: (threadId, id) => submit(threadId, { id, messages: [], isNamed: true }),
      find: (threadId, id) => readOutcome(store, threadId, id),
      async wake(threadId) {
        woken++;
        submit(threadId, { id: `woken-${woken}`, messages: [], isNamed: true }).catch(() => {});
      },
    };
  };
  const start = (more: Setup): Runtime => {
    const { runtime } = startRuntime(store, { ...setup, engine, ...more });
    started.push(runtime);
    return runtime;
  };
  const startWorker = (more: Setup = {}): Runtime => {
    const worker = start(more);
    workers.push(worker);
    return worker;
  };
  startWorker();
  return { store, sender: start({ script: [] }), startWorker, woken: () => woken };
}

test('a turn runs elsewhere: its hooks before it here, once, and their runs are in the ledger', async () => {
  const seen: string[] = [];
  const shout = defineHook({
    hook: 'before_create_message',
    id: 'shout',
    execute: async (_state, message) => {
      seen.push(message.role);
      return { ...message, content: String(message.content).toUpperCase() };
    },
  });
  const { store, sender } = startElsewhere({ policies: [shout], script: ['Hello.', 'Again.'] });
  const thread = await sender.createThread({ agent: 'agent', id: 't' });
  const [one, same] = await Promise.all([thread.send('hi', { id: 'a' }), thread.send('hi', { id: 'a' })]);
  expect([one.status, one.text, same]).toEqual(['completed', 'HELLO.', one]);
  expect((await thread.send('more')).text).toBe('AGAIN.');
  expect(await lines(thread)).toEqual(['user: HI', 'assistant: HELLO.', 'user: MORE', 'assistant: AGAIN.']);
  expect(seen).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect((await store.listRuns()).map(({ id }) => id)).toEqual(['shout', 'shout', 'shout', 'shout']);
  expect(await thread.send('hi', { id: 'a' })).toEqual(one);
});

test('a denied message reaches no worker; its reason is kept under its id, and the run is in the ledger', async () => {
  const deny = defineHook({
    hook: 'before_user_message',
    id: 'deny',
    execute: async () => ({ decision: 'deny', reason: 'Not here.' }),
  });
  const { store, sender } = startElsewhere({ policies: [deny] });
  const thread = await sender.createThread({ agent: 'agent', id: 't' });
  const denied = await thread.send('hi', { id: 'a' });
  expect([denied.status, denied.reason]).toEqual(['denied', 'Not here.']);
  expect(await thread.send('hi', { id: 'a' })).toEqual(denied);
  expect(await store.listMessages('t')).toEqual([]);
  expect((await store.listRuns()).map(({ outcome }) => outcome)).toEqual(['denied']);
});

test('while a turn runs elsewhere, messages are injected and queued, it is stopped, and files arrive with it', async () => {
  const { opened, open } = gate();
  const { opened: isRunning, open: runs } = gate();
  const tool = defineTool({
    name: 'wait',
    execute: async () => {
      runs();
      await opened;
      return 'done';
    },
  });
  const { store, sender, woken } = startElsewhere({
    tools: [tool],
    script: [{ toolCalls: [{ name: 'wait' }] }, 'Queued was heard.'],
  });
  const thread = await sender.createThread({ agent: 'agent', id: 't' });
  const file = { name: 'a.txt', mimeType: 'text/plain', data: new TextEncoder().encode('file') };
  const turn = thread.send({ content: 'look', attachments: [file] });
  await isRunning;
  await thread.inject({ role: 'user', content: 'injected' });
  await thread.stop();
  open();
  expect((await turn).status).toBe('stopped');
  expect((await store.listFiles('t')).map(({ name }) => name)).toEqual(['a.txt']);
  await thread.queue({ role: 'user', content: 'queued' });
  expect(woken()).toBe(1);
  await vi.waitFor(async () => expect(await lines(thread)).toContain('assistant: Queued was heard.'));
  const said = (await lines(thread)).filter((line) => !line.startsWith('tool'));
  expect(said).toEqual([
    'user: look',
    'assistant: null',
    'user: injected',
    'user: queued',
    'assistant: Queued was heard.',
  ]);
});

test('a worker takes a turn over whose worker hangs: each message is there once, and the old one writes no more', async () => {
  const { opened, open } = gate();
  const { opened: isRunning, open: runs } = gate();
  const read = (execute: () => Promise<string>) =>
    defineTool({ name: 'read', onInterrupted: 'retry', execute });
  const hangs = read(async () => {
    runs();
    await opened;
    return 'late';
  });
  const { store, sender, startWorker } = startElsewhere();
  const hanging = startWorker({ tools: [hangs], script: [{ toolCalls: [{ name: 'read' }] }, 'Late.'] });
  const thread = await sender.createThread({ agent: 'agent', id: 't' });
  const first = thread.send('hi', { id: 'a' });
  await isRunning;
  const next = startWorker({ tools: [read(async () => 'read')], script: ['Taken over.'] });
  const { text } = await next.runTurn('t', { id: 'a', messages: [], isNamed: true }, context);
  open();
  await expect(first).rejects.toMatchObject({ code: 'thread_busy' });
  expect(text).toBe('Taken over.');
  expect(await lines(thread)).toEqual([
    'user: hi',
    'assistant: null',
    'tool: read',
    'assistant: Taken over.',
  ]);
  expect((await next.runTurn('t', { id: 'a', messages: [], isNamed: true }, context)).text).toBe(
    'Taken over.',
  );
  expect((await store.getThread('t'))?.turn).toBeNull();
  await hanging.close();
});

/** A subagent, a call of it, and an answer of its model that comes when it is let. */
function makeHelper() {
  const { opened: isRunning, open: runs } = gate();
  const { opened, open } = gate();
  const helper = {
    agents: [defineAgent({ name: 'helper', prompt: 'helper' })],
    prompts: [definePrompt({ name: 'helper' })],
    tools: [defineTool({ name: 'ask_helper', agent: 'helper' })],
  };
  const asking = { toolCalls: [{ name: 'ask_helper', input: { text: 'help' } }] };
  const hang = async (): Promise<string> => {
    runs();
    await opened;
    return 'late help';
  };
  return { helper, asking, hang, isRunning, open };
}

test('a subagent runs where its parent does, and goes on in the worker that takes the parent over', async () => {
  const { helper, asking, hang, isRunning, open } = makeHelper();
  const { store, sender, startWorker } = startElsewhere(helper);
  startWorker({ ...helper, script: [asking, hang] });
  const thread = await sender.createThread({ agent: 'agent', id: 't' });
  const first = thread.send('hi', { id: 'a' });
  first.catch(() => {});
  await isRunning;
  const next = startWorker({ ...helper, script: ['help', 'Helped.'] });
  const { text } = await next.runTurn('t', { id: 'a', messages: [], isNamed: true }, context);
  open();
  await expect(first).rejects.toMatchObject({ code: 'thread_busy' });
  expect(text).toBe('Helped.');
  const [child] = await store.listThreads({ parentId: 't' });
  expect((await store.listMessages(child?.id ?? '')).map(({ content }) => content)).toEqual(['help', 'help']);
});

test('a subagent of an attempt that is given up is not told as aborted: the next attempt goes on with it', async () => {
  const { helper, asking, hang, isRunning, open } = makeHelper();
  const { store, sender, startWorker } = startElsewhere(helper);
  const old = startWorker({ ...helper, script: [asking, hang] });
  await sender.createThread({ agent: 'agent', id: 't' });
  const said = { id: 'a.0.user', role: 'user' as const, content: 'hi', created_at: 1 };
  const request = { id: 'a', messages: [said], isNamed: true as const };
  const attempt = new AbortController();
  const first = old.runTurn('t', request, { ...context, givenUp: attempt.signal });
  first.catch(() => {});
  await isRunning;
  attempt.abort();
  await expect(first).rejects.toMatchObject({ code: 'thread_busy' });
  const next = startWorker({ ...helper, script: ['help', 'Helped.'] });
  const { text } = await next.runTurn('t', { id: 'a', messages: [], isNamed: true }, context);
  open();
  expect(text).toBe('Helped.');
  const [child] = await store.listThreads({ parentId: 't' });
  expect((await store.listMessages(child?.id ?? '')).map(({ content }) => content)).toEqual(['help', 'help']);
  const results = (await store.listMessages('t')).filter(({ role }) => role === 'tool');
  expect(results.map(({ content }) => content)).toEqual(['help']);
});

test('a worker that has a thread open which was deleted, and made anew under its id, runs the turns of the new one', async () => {
  const { store, sender, startWorker } = startElsewhere({ script: ['Old.', 'New.', 'Newer.'] });
  const old = await sender.createThread({ agent: 'agent', id: 't' });
  expect((await old.send('hi', { id: 'a' })).text).toBe('Old.');
  const lease = await store.getLease('t');
  if (lease !== null) await store.releaseLease(lease);
  await old.delete();
  const anew = await sender.createThread({ agent: 'agent', id: 't' });
  expect((await anew.send('hi again', { id: 'b' })).text).toBe('New.');
  startWorker({ script: ['Elsewhere.'] });
  expect((await anew.send('and again')).text).toBe('Elsewhere.');
  expect((await store.listMessages('t')).map(({ content }) => content)).toEqual([
    ...['hi again', 'New.'],
    ...['and again', 'Elsewhere.'],
  ]);
});

test('a worker forgets threads that are idle, and gives them free', async () => {
  const { store, sender, startWorker } = startElsewhere();
  startWorker({ lease: 300, script: ['One.', 'Two.'] });
  const thread = await sender.createThread({ agent: 'agent', id: 't' });
  const release = vi.spyOn(store, 'releaseLease');
  await thread.send('hi');
  expect(release).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(release).toHaveBeenCalled(), 20_000);
  expect((await thread.send('again')).text).toBe('Two.');
});

test('what cannot be where turns run elsewhere is refused', async () => {
  const { sender } = startElsewhere({ skills: async () => ({ name: 's', instructions: '', hooks: [] }) });
  const thread = await sender.createThread({ agent: 'agent', id: 't' });
  await expect(thread.startSkill('s')).rejects.toMatchObject({ code: 'unsupported' });
});

/** Carries signals inside of this process. */
function carrySignals(): Signals {
  const ears = new Map<string, Set<Parameters<Signals['subscribe']>[1]>>();
  return {
    publish(threadId, signal) {
      for (const hear of ears.get(threadId) ?? []) queueMicrotask(() => hear(overWire(signal)));
    },
    subscribe(threadId, hear) {
      const others = ears.get(threadId) ?? new Set();
      ears.set(threadId, others.add(hear));
      return () => void others.delete(hear);
    },
    close: async () => {},
  };
}

test('with signals whoever listens here hears the turn there, its start and its end once, and a stop ends it at once', async () => {
  const { opened: isRunning, open: runs } = gate();
  const hangs = defineTool({
    name: 'hang',
    execute: (_input, { abortSignal }) =>
      new Promise((_resolve, reject) => {
        runs();
        abortSignal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  });
  const script = ['Heard.', { toolCalls: [{ name: 'hang' }] }];
  const { sender } = startElsewhere({ signals: carrySignals(), tools: [hangs], script });
  const thread = await sender.createThread({ agent: 'agent', id: 't' });
  const heard: ThreadEvent[] = [];
  thread.on((event) => heard.push(event));
  await thread.send('hi');
  expect(heard.map(({ type }) => type).filter((type) => /^turn|^message/.test(type))).toEqual([
    'turn_started',
    'message',
    'message',
    'turn_ended',
  ]);
  expect(heard.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe('Heard.');
  const stopped = thread.send('hang');
  await isRunning;
  await thread.stop();
  expect((await stopped).status).toBe('aborted');
});
