import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { HookMessage, ThreadState } from '@spec/hooks';
import { memoryStore, type Runtime, type Store, type Thread } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import type { Ability, Setup, Subject, Trial } from '../src/subject.ts';
import { type DyingStore, dyingStore, freeThread } from './dying-store.ts';
import { type Conversation, makeConversation, trialRuntime } from './trial-runtime.ts';

const abilities: readonly Ability[] = [
  ...['control', 'policies', 'update', 'inject', 'queue', 'subagents', 'tools-from-hooks', 'files'],
  ...['values', 'streaming', 'ledger', 'abort', 'reopen', 'resume', 'sessions', 'compaction', 'model-calls'],
  ...['notifications', 'dual'],
] as Ability[];

/** What the trials of one thread share, whatever instance it is open in. */
interface Data {
  readonly setup: Setup;
  readonly below: Store;
  readonly conversation: Conversation;
  readonly told: string[];
  readonly texts: string[];
}

/** Our runtime over a store of a kind, as a subject of the suite. */
export function ourRuntime(kind: 'memory' | 'sqlite'): Subject {
  return {
    name: `@spec/runtime (${kind})`,
    abilities,
    async open(setup) {
      const folder = kind === 'sqlite' ? mkdtempSync(join(tmpdir(), 'conformance-')) : undefined;
      const below = folder === undefined ? memoryStore() : await newDatabase(folder);
      const end = async (): Promise<void> => {
        await below.close();
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      };
      const data: Data = { setup, below, conversation: makeConversation(setup), told: [], texts: [] };
      try {
        return await openTrial(data, { end });
      } catch (error) {
        await end();
        throw error;
      }
    },
  };
}

let template: Promise<string> | undefined;

/** A copy of a database without threads: its tables are made once for all trials. */
async function newDatabase(folder: string): Promise<Store> {
  template ??= emptyDatabase();
  const path = join(folder, 'threads.db');
  copyFileSync(await template, path);
  return sqliteStore({ path, synchronous: 'NORMAL' });
}

async function emptyDatabase(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'empty.db');
  await sqliteStore({ path }).close();
  return path;
}

interface Opening {
  readonly end: () => Promise<void>;
  /** Of a thread that is there; absent: a new one. */
  readonly threadId?: string;
  readonly resumes?: true;
}

async function openTrial(data: Data, opening: Opening): Promise<Trial> {
  const process = dyingStore(data.below);
  const runtime = trialRuntime(data.setup, process.store, data.conversation);
  try {
    const thread = await openThread(runtime, opening);
    listen(thread, data);
    if (opening.resumes) await thread.resume();
    return makeTrial({ data, opening, process, runtime, thread });
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

function openThread(runtime: Runtime, { threadId }: Opening): Promise<Thread> {
  return threadId === undefined
    ? runtime.createThread({ agent: 'main', userId: 'ada' })
    : runtime.openThread(threadId);
}

/** The events that hold what is stored, or will be: what hooks let through. */
const holdsData: ReadonlySet<string> = new Set([
  ...['text', 'message', 'message_updated', 'tool_called', 'tool_result', 'permission_asked', 'custom'],
]);

function listen(thread: Thread, { texts, told }: Data): void {
  thread.on(
    (event) => {
      if (event.type === 'text') texts.push(event.text);
      if (!holdsData.has(event.type)) told.push(inspect(event, { depth: 8 }));
    },
    { children: true },
  );
}

interface Instance {
  readonly data: Data;
  readonly opening: Opening;
  readonly process: DyingStore;
  readonly runtime: Runtime;
  readonly thread: Thread;
}

function makeTrial(instance: Instance): Trial {
  const { data, runtime, thread } = instance;
  let isOver = false;
  const close = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await thread.stop();
    await runtime.close();
    await instance.opening.end();
  };
  const leave = (): void => {
    isOver = true;
  };
  return {
    threadId: thread.id,
    send: (content) => thread.send(content),
    async inject(message) {
      await thread.inject(message);
    },
    queue: (message) => thread.queue(message, { wake: false }),
    async update(messageId, updates) {
      await thread.update(messageId, updates);
    },
    messages: () => thread.messages(),
    sent: () => structuredClone(data.conversation.sent),
    streamed: () => data.texts.join(''),
    runs: () => runtime.ledger.runs(),
    subagents: () => listMessagesOfChildren(thread.state),
    told: () => everythingTold(instance),
    stop: () => thread.stop(),
    async compact() {
      await thread.compact();
    },
    notify: (kind, message) => thread.notify(kind, message),
    async openAgain() {
      await runtime.openThread(thread.id);
    },
    reopen() {
      leave();
      return reopen(instance);
    },
    crashAndResume() {
      leave();
      return crashAndResume(instance);
    },
    close,
  };
}

async function listMessagesOfChildren(state: ThreadState): Promise<HookMessage[][]> {
  const found: HookMessage[][] = [];
  for (const id of state.children) found.push((await (await state.getChildThread(id))?.getMessages()) ?? []);
  return found;
}

async function everythingTold({ data, runtime }: Instance): Promise<string> {
  const runs = await runtime.ledger.runs();
  return [...data.told, inspect(runs, { depth: 8, maxArrayLength: null })].join('\n');
}

async function reopen({ data, opening, runtime, thread }: Instance): Promise<Trial> {
  await runtime.close();
  return openTrial(data, { end: opening.end, threadId: thread.id });
}

async function crashAndResume({ data, opening, process, thread }: Instance): Promise<Trial> {
  process.die();
  await freeThread(data.below, thread.id);
  return openTrial(data, { end: opening.end, threadId: thread.id, resumes: true });
}
