import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookMessage } from '@spec/hooks';
import { test } from 'vitest';
import { memoryStore, type Runtime, type Store, type Thread, type ThreadEvent } from '../src/index.ts';
import { kindOfStore, openLasting } from './lasting-store.ts';
import { type Setup, type Started, startRuntime } from './start-runtime.ts';

export type { Setup, Started };

export interface StartedThread extends Started {
  readonly thread: Thread;
  /** What has happened on the thread up to now. */
  readonly events: ThreadEvent[];
}

/** What a test works with; everything it starts is closed after it. */
export interface Kit {
  readonly store: Store;
  start(setup?: Setup): Started;
  /** Starts a runtime and creates a thread of `agent`. Its prompt is told all tools. */
  thread(setup?: Setup): Promise<StartedThread>;
}

const folder = mkdtempSync(join(tmpdir(), 'runtime-test-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

const stores: Readonly<Record<string, () => Store>> = {
  ...(kindOfStore === 'sqlite' && { memory: () => memoryStore() }),
  [kindOfStore]: () => openLasting(newFile()),
};

/** The path of a file that is not there yet. */
export function newFile(): string {
  return join(folder, `${files++}.db`);
}

/** Registers a test over the memory store and one over a real SQLite file. */
export function onBothStores(name: string, run: (kit: Kit) => Promise<void>, timeout?: number): void {
  for (const [kind, open] of Object.entries(stores)) {
    test(
      `${name} (${kind})`,
      async () => {
        const kit = createKit(open());
        try {
          await run(kit);
        } finally {
          await kit.close();
        }
      },
      timeout,
    );
  }
}

export function createKit(store: Store): Kit & { close(): Promise<void> } {
  const started: Runtime[] = [];
  function start(setup: Setup = {}): Started {
    const result = startRuntime(store, setup);
    started.push(result.runtime);
    return result;
  }
  return {
    store,
    start,
    async thread(setup = {}) {
      const { runtime, model } = start(setup);
      const thread = await runtime.createThread({ agent: 'agent' });
      return { runtime, model, thread, events: recordEvents(thread) };
    },
    async close() {
      await Promise.allSettled(started.map((runtime) => runtime.close()));
      await store.close();
    },
  };
}

/** An array to which every event of a thread is added as it comes. */
export function recordEvents(thread: Thread): ThreadEvent[] {
  const events: ThreadEvent[] = [];
  void (async () => {
    for await (const event of thread.events()) events.push(event);
  })();
  return events;
}

/** A thread's messages as `role: content`. */
export async function lines(thread: Thread): Promise<string[]> {
  return (await thread.messages()).map(writeLine);
}

/** One field of each of a thread's messages, whether or not the specification knows it. */
export async function fields(thread: Thread, name: string): Promise<unknown[]> {
  return (await thread.messages()).map((message) => (message as unknown as Record<string, unknown>)[name]);
}

export function writeLine({ role, content }: Pick<HookMessage, 'role' | 'content'>): string {
  return `${role}: ${content}`;
}

/** A promise and its ends. */
export function gate<T = void>(): {
  readonly opened: Promise<T>;
  open(value: T): void;
  fail(error: unknown): void;
} {
  let open!: (value: T) => void;
  let fail!: (error: unknown) => void;
  const opened = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { opened, open, fail };
}

/** Lets everything that is ready to run do so. */
export function runWhatIsReady(ms: number = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A promise that never settles. */
export function never<T>(): Promise<T> {
  return new Promise(() => {});
}

/** What was thrown; an error where nothing was. */
export async function thrownBy(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error(`expected an error, got ${typeof error}`);
}
