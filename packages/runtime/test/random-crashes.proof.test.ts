import { setTimeout as wait } from 'node:timers/promises';
import { type AnyHook, defineHook, type HookToolCall, type ThreadState } from '@spec/hooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defineAgent, definePrompt, defineTool, type Store, type Thread } from '../src/index.ts';
import { type ScriptedStep, scriptedModel } from '../src/testing/index.ts';
import { openQuick } from './lasting-store.ts';
import { Mortality } from './mortal-store.ts';
import { type Setup, startRuntime } from './start-runtime.ts';

/** So many trials; `RANDOM_CRASHES` asks for more. */
const TRIALS = Number(process.env.RANDOM_CRASHES ?? 20);
const LEASE = 20;

const places = [
  'before_user_message',
  'filter_messages',
  'before_tool_call',
  'after_tool_call_success',
] as const;
const rows = ['before_store_tool_result', 'before_create_message', 'after_tool_batch'] as const;

/** What a hook writes each time that it runs; `once` leaves it out where it was written in this place before. */
const write = fc.record({
  what: fc.constantFrom('inject', 'inject', 'queue', 'tool', 'parent', 'spawn'),
  once: fc.boolean(),
});
const writer = fc.record({
  hook: fc.constantFrom(...places, ...rows),
  writes: fc.array(write, { minLength: 1, maxLength: 3 }),
  /** Whether the process that goes on has it, the process that died, or both. */
  lives: fc.constantFrom('both', 'both', 'first', 'second'),
  atOnce: fc.boolean(),
});
const trial = fc.record({
  writers: fc.array(writer, { minLength: 1, maxLength: 5 }),
  /** Where it dies, as a share of its writes to the store: of all, or of those that hooks make. */
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  of: fc.constantFrom('all' as const, 'hooks' as const),
  when: fc.constantFrom('before' as const, 'after' as const),
});
type Writer = typeof writer extends fc.Arbitrary<infer W> ? W & { readonly id: string } : never;
type Write = Writer['writes'][number];
type Trial = typeof trial extends fc.Arbitrary<infer T> ? T : never;

/** The model's own calls have such ids. */
const isOfModel = (id: unknown): boolean => /^s\d/.test(String(id));

/** What a hook is run for, in the texts that it writes; nothing where it is to be quiet. */
function nameOccasion(state: ThreadState, args: readonly unknown[]): string | undefined {
  const { stepCount } = state.execution;
  if (stepCount > (state.agentId === 'agent' ? 2 : 1)) return undefined;
  const [first] = args as [
    Partial<HookToolCall> & { role?: string; tool_call_id?: string; name?: string; content?: string },
  ];
  // A call that is interrupted and does not run again has no hooks after it.
  if (first?.function?.name === 'pay' || (first?.role === 'tool' && first.name === 'pay')) return undefined;
  if (first?.function !== undefined) return isOfModel(first.id) ? `${stepCount} ${first.id}` : undefined;
  if (first?.role === 'user' && first.content?.startsWith('Go') !== true) return undefined;
  if (first?.role === 'tool')
    return isOfModel(first.tool_call_id) ? `${stepCount} ${first.tool_call_id}` : undefined;
  if (Array.isArray(first) && first[0]?.toolCall !== undefined && !isOfModel(first[0].toolCall.id))
    return undefined;
  return first?.role === 'assistant' ? undefined : `${stepCount}`;
}

async function writeOne(state: ThreadState, { what, once }: Write, text: string): Promise<void> {
  if (once && (await state.getValue(text)) === true) return;
  const message = { role: 'user', content: text } as const;
  if (what === 'inject') await state.injectMessage(message);
  else if (what === 'queue') await state.queueMessage(message);
  else if (what === 'tool') await state.queueTool('echo', { text });
  else if (what === 'parent') await (await state.getParentThread())?.injectMessage(message);
  else if (state.agentId === 'agent') await state.invokeTool('ask', { task: text });
  if (once) await state.setValue(text, true);
}

function makeHook({ id, hook, writes, atOnce }: Writer): AnyHook {
  const execute = async (state: ThreadState, ...args: unknown[]): Promise<unknown> => {
    const occasion = nameOccasion(state, args);
    const texts = writes.map((_, n) => `${id}.${n} in ${state.threadId} at ${occasion}`);
    const run = (one: Write, n: number): Promise<void> => writeOne(state, one, texts[n] as string);
    if (occasion !== undefined) {
      if (atOnce) await Promise.all(writes.map(run));
      else for (const [n, one] of writes.entries()) await run(one, n);
    }
    const isTransform = ['filter_messages', 'before_create_message', 'before_store_tool_result'].includes(
      hook,
    );
    return isTransform ? args.at(-1) : null;
  };
  return defineHook({ hook: hook as 'after_system_message', id, execute: execute as never }) as AnyHook;
}

/** What a model says follows from the calls that it has made before. */
function* replies(steps: readonly (readonly string[])[]): Generator<ScriptedStep> {
  const reply: ScriptedStep = ({ prompt }) => {
    const made = [...JSON.stringify(prompt).matchAll(/"toolCallId":"s(\d)/g)].map(([, step]) => Number(step));
    const step = Math.max(0, ...made) + 1;
    const calls = steps[step - 1];
    if (calls === undefined) return 'Done.';
    return {
      toolCalls: calls.map((name, n) => ({ id: `s${step}c${n}`, name, input: { task: `for ${name}` } })),
    };
  };
  for (;;) yield reply;
}

function makeScript(steps: readonly (readonly string[])[]) {
  return scriptedModel(
    new Proxy([], {
      get: (target, key) => (key === Symbol.iterator ? () => replies(steps) : Reflect.get(target, key)),
    }),
  );
}

function makeSetup(writers: readonly Writer[], paid: string[]): Setup {
  const note =
    (to: 'self' | 'parent') =>
    async (_: unknown, { state }: { state: ThreadState }) => {
      const text = `noted for ${state.execution.callKey}`;
      const target = to === 'self' ? state : await state.getParentThread();
      await target?.injectMessage({ role: 'user', content: text });
      await target?.queueMessage({ role: 'user', content: `queued ${text}` });
      return 'noted';
    };
  const retry = 'retry' as const;
  return {
    lease: LEASE,
    models: {
      main: makeScript([['note', 'ask', 'pay'], ['ask', 'ask', 'note'], ['echo']]),
      expert: makeScript([['tell', 'note', 'pay']]),
    },
    tools: [
      defineTool({
        name: 'echo',
        onInterrupted: retry,
        parameters: {},
        execute: (input) => JSON.stringify(input),
      }),
      defineTool({ name: 'note', onInterrupted: retry, execute: note('self') }),
      defineTool({ name: 'tell', onInterrupted: retry, execute: note('parent') }),
      defineTool({
        name: 'pay',
        execute: (_, { state }) => `${paid.push(state.execution.callKey ?? 'none')}`,
      }),
      defineTool({ name: 'ask', agent: 'expert' }),
    ],
    prompt: { model: 'main', tools: ['note', 'ask', 'pay', 'echo'] },
    agents: [defineAgent({ name: 'expert', prompt: 'expert' })],
    prompts: [definePrompt({ name: 'expert', model: 'expert', tools: ['tell', 'note', 'pay'] })],
    policies: writers.map(makeHook),
    timeout: '30s',
  };
}

async function sendWhereFree(thread: Thread): Promise<unknown> {
  for (;;) {
    try {
      return await thread.send('Go', { id: 'turn' });
    } catch (error) {
      if ((error as { code?: string }).code !== 'thread_busy') throw error;
      await wait(LEASE / 4);
    }
  }
}

/** The numbers of the writes to the store. */
interface Writes {
  readonly all: number[];
  /** Those of what hooks write. */
  readonly hooks: number[];
}

function counted(store: Store, { mortality, writes }: { mortality: Mortality; writes: Writes }): Store {
  const note = <T>(what: unknown, written: T): T => {
    if (JSON.stringify(what).includes(' at ')) writes.hooks.push(mortality.writes);
    return written;
  };
  const mortal = mortality.storeOf(store);
  return {
    ...store,
    ...Object.fromEntries(Object.keys(store).map((name) => [name, mortal[name as keyof Store]])),
    append: (...args) => note(args[2].messages ?? args[2].enqueue ?? null, mortal.append(...args)),
    post: (...args) => note(args[1], mortal.post(...args)),
  };
}

/** Runs the turn in a thread, or goes on with it; gives its writes to the store. */
async function live(
  store: Store,
  threadId: string,
  setup: Setup,
  mortality = new Mortality(),
): Promise<Writes> {
  const writes: Writes = { all: [], hooks: [] };
  const { runtime } = startRuntime(counted(store, { mortality, writes }), setup);
  const isThere = (await store.getThread(threadId)) !== null;
  const thread = isThere
    ? await runtime.openThread(threadId)
    : await runtime.createThread({ agent: 'agent', id: threadId });
  const result = await sendWhereFree(thread);
  expect(result).toMatchObject({ status: 'completed' });
  await thread.idle();
  writes.all.push(...Array.from({ length: mortality.writes }, (_, n) => n + 1));
  return writes;
}

/** All that was written into a thread and its children, as lines with the thread's id. */
async function writtenIn(store: Store, threadId: string): Promise<string[]> {
  const texts = (await store.listMessages(threadId)).map(
    ({ role, content }) => `${threadId}: ${role} ${content}`,
  );
  const waiting = (await store.listQueue(threadId)).map(({ id }) => `${threadId}: waits ${id}`);
  const children = await store.listThreads({ parentId: threadId });
  const below = await Promise.all(children.map(({ id }) => writtenIn(store, id)));
  return [...texts, ...waiting, ...below.flat()].toSorted();
}

const isWritten = (line: string): boolean => /: user|: waits|: tool \{/.test(line);

async function runTrial({ writers: given, at, of, when }: Trial): Promise<void> {
  const writers = given.map((one, n) => ({ ...one, id: `h${n}` }));
  const kept = writers.filter(({ lives }) => lives === 'both');
  const isOfKept = (line: string): boolean =>
    [...line.matchAll(/\bh\d\b/g)].every(([id]) => kept.some((one) => one.id === id));
  const expected = openQuick();
  await live(expected, 't', makeSetup(kept, []));

  const first = writers.filter(({ lives }) => lives !== 'second');
  const writes = await live(openQuick(), 't', makeSetup(first, []));
  const store = openQuick();
  await live(store, 'other', makeSetup(writers, []));
  const other = await writtenIn(store, 'other');
  const paid: string[] = [];
  await new Promise<void>((resolve) => {
    const among = writes[of].length > 0 ? writes[of] : writes.all;
    const death = { atWrite: among[Math.floor(at * among.length)] as number, when, onDeath: resolve };
    void live(store, 't', makeSetup(first, paid), new Mortality(death)).then(() => resolve());
  });
  await live(
    store,
    't',
    makeSetup(
      writers.filter(({ lives }) => lives !== 'first'),
      paid,
    ),
  );

  const lines = await writtenIn(store, 't');
  expect(lines.filter(isWritten).filter(isOfKept)).toEqual(
    (await writtenIn(expected, 't')).filter(isWritten),
  );
  const texts = lines.filter((line) => line.includes(' in t'));
  expect(texts).toEqual([...new Set(texts)]);
  expect(new Set(paid).size).toBe(paid.length);
  expect(lines.filter((line) => line.includes('other'))).toEqual([]);
  expect(await writtenIn(store, 'other')).toEqual(other);
}

test(
  'whatever hooks and tools write, and whichever of them are there after a crash: nothing twice, nothing lost, nothing of another thread',
  async () => {
    await fc.assert(fc.asyncProperty(trial, runTrial), { numRuns: TRIALS });
  },
  60_000 + TRIALS * 2_000,
);
