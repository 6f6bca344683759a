import { type AnyHook, defineHook, type HookOptions } from '../src/define/define.ts';
import { scopeOf } from '../src/define/scope.ts';
import { RunError } from '../src/errors.ts';
import { createExecutor, type Executor, type ExecutorOptions } from '../src/executor/executor.ts';
import type { LateWrite } from '../src/executor/permit.ts';
import { type VirtualClock, virtualClock } from '../src/testing/virtual-clock.ts';
import type { AnyHookKind, LifecycleName } from '../src/vocabulary/lifecycle.ts';
import type { RunDetails, RunRecord } from '../src/vocabulary/record.ts';
import type { ThreadState } from '../src/vocabulary/state.ts';

/** A hook's function as the tests write it, whatever the hook's name. */
export type Execute = (state: ThreadState, ...args: never[]) => unknown;

export const sampleMessage = (): Record<string, unknown> => ({
  id: 'm1',
  role: 'user',
  content: 'Where is my order?',
  created_at: 1_760_000_000_000_000,
  metadata: { tags: ['new'] },
});

export const sampleCall = (): Record<string, unknown> => ({
  id: 'c1',
  type: 'function',
  function: { name: 'get_order', arguments: '{"order":7}' },
});

export const sampleResult = (): Record<string, unknown> => ({
  status: 'success',
  result: 'shipped',
  attachments: [{ type: 'file', path: 'a.txt', name: 'a.txt', mimeType: 'text/plain', size: 3 }],
});

interface Sample {
  readonly hook: LifecycleName;
  readonly args: () => unknown[];
  /** An answer that changes nothing. */
  readonly same: (...args: never[]) => unknown;
  /** An answer that adds something of its own. */
  readonly other: (...args: never[]) => unknown;
  /** Answers that break the shape; an observer's answer is ignored. */
  readonly wrong: readonly unknown[];
}

/** One hook of each kind, with arguments and answers for it. */
export const samples: Readonly<Record<AnyHookKind, Sample>> = {
  observe: {
    hook: 'after_create_message',
    args: () => [sampleMessage()],
    same: () => undefined,
    other: () => 'ignored',
    wrong: [],
  },
  replace: {
    hook: 'after_tool_call_success',
    args: () => [sampleCall(), sampleResult()],
    same: () => null,
    other: (_call: unknown, result: object) => ({ ...result, result: 'changed' }),
    wrong: [5, 'text', [], true, {}, { status: 'done' }, { status: 'error', error: 5 }, () => null],
  },
  transform: {
    hook: 'before_create_message',
    args: () => [sampleMessage()],
    same: (message: unknown) => message,
    other: (message: object) => ({ ...message, content: 'changed' }),
    wrong: [undefined, null, 5, [], {}, { role: 'robot', content: 'x' }, { role: 'user', content: 5 }],
  },
  decide: {
    hook: 'before_tool_call',
    args: () => [sampleCall()],
    same: () => null,
    other: () => ({ input: { order: 8 } }),
    wrong: [
      5,
      'deny',
      [],
      { decision: 'no' },
      { decison: 'deny' },
      { reason: 5 },
      { context: [5] },
      { input: 'x' },
      { result: {} },
    ],
  },
  collect: {
    hook: 'after_tool_batch',
    args: () => [[{ toolCall: sampleCall(), result: sampleResult() }]],
    same: () => null,
    other: () => ['a note'],
    wrong: [5, {}, [5], true, ['a', null], Object.assign([], { length: 1 })],
  },
};

export const kinds = Object.keys(samples) as AnyHookKind[];

let count = 0;

/** A hook of any name. */
export function makeHook(
  hook: LifecycleName,
  execute: Execute,
  options: Partial<HookOptions<LifecycleName>> | object = {},
): AnyHook {
  count++;
  return defineHook({ hook, id: `hook_${count}`, execute, ...options } as never) as AnyHook;
}

export interface Harness {
  readonly executor: Executor;
  readonly state: ThreadState;
  readonly clock: VirtualClock;
  readonly thread: AbortController;
  readonly records: RunRecord[];
  readonly details: Array<RunDetails<ThreadState>>;
  readonly lateWrites: LateWrite[];
  /** The writes that reached the thread. */
  readonly writes: string[];
  run(hooks: readonly AnyHook[], ...args: readonly unknown[]): Promise<unknown>;
  outcomes(): string[];
}

/** An executor on a clock that stands still, with everything it reports. */
export function harness(options: Partial<ExecutorOptions> = {}): Harness {
  const clock = virtualClock();
  const records: RunRecord[] = [];
  const details: Array<RunDetails<ThreadState>> = [];
  const lateWrites: LateWrite[] = [];
  const { state, thread, writes } = threadState();
  const executor = createExecutor({
    clock,
    onRun: (record, detail) => {
      records.push(record);
      details.push(detail);
    },
    onLateWrite: (late) => lateWrites.push(late),
    ...options,
  });
  const run = async (hooks: readonly AnyHook[], ...args: readonly unknown[]): Promise<unknown> => {
    const scope = scopeOf(hooks.map((hook) => ({ hook, source: 'policy' })));
    return executor.run(hooks[0]?.hook as never, scope, state, ...(args as never[]));
  };
  const outcomes = (): string[] => records.map(({ outcome }) => outcome);
  return { executor, state, clock, thread, records, details, lateWrites, writes, run, outcomes };
}

const writers = [
  'injectMessage',
  'updateMessage',
  'deleteMessage',
  'queueMessage',
  'queueTool',
  'invokeTool',
  'setValue',
  'setValuesIf',
  'writeFile',
  'unlinkFile',
  'terminate',
] as const;

/** A thread with a parent and a child, whose writes are noted and do nothing. */
export function threadState(name = 'thread'): {
  state: ThreadState;
  thread: AbortController;
  writes: string[];
} {
  const thread = new AbortController();
  const writes: string[] = [];
  const note = (write: string) => (): void => void writes.push(`${name}.${write}`);
  const relative = (other: string) => async (): Promise<unknown> => {
    const found = threadState(other);
    Object.defineProperty(found.writes, 'push', { value: (write: string) => writes.push(write) });
    return found.state;
  };
  const state = {
    threadId: name,
    agentId: 'agent',
    userId: null,
    execution: {
      flowId: 'flow',
      currentSide: 'a',
      stepCount: 1,
      stopped: false,
      abortSignal: thread.signal,
      stop: note('stop'),
    },
    getMessages: async () => [],
    emit: note('emit'),
    getChildThread: relative('child'),
    getParentThread: relative('parent'),
    ...Object.fromEntries(writers.map((write) => [write, async () => note(write)()])),
  };
  return { state: state as unknown as ThreadState, thread, writes };
}

/** What a promise came to: its value, or the `RunError` it was rejected with. */
export async function settled(promise: Promise<unknown>): Promise<{ value?: unknown; error?: RunError }> {
  try {
    return { value: await promise };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { error };
  }
}

/** A promise, and how to end it. */
export function deferred<T = unknown>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

export const never = (): Promise<never> => new Promise(() => {});
