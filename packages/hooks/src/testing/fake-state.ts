import type { Clock } from '../executor/clock.ts';
import { checkOptionNames, type OptionNames } from '../option-names.ts';
import type { HookMessage } from '../vocabulary/messages.ts';
import type { ModelUsage } from '../vocabulary/model-usage.ts';
import type { ExecutionState, NewMessage, ThreadState } from '../vocabulary/state.ts';
import { type FakeFile, fakeFiles } from './fake-files.ts';
import { type FakeMessages, fakeMessages } from './fake-messages.ts';
import {
  definitionMethods,
  type FakeDefinitions,
  type FakeThread,
  fakeExecution,
  messageMethods,
  storageMethods,
  toolMethods,
} from './fake-thread.ts';
import type { FakeTool, FakeToolUse } from './fake-tools.ts';
import { fakeValues } from './fake-values.ts';
import { type FixtureMessage, nextId, noUsage } from './fixtures.ts';

/** What {@link fakeState} takes: what the thread holds at the start. Everything has a default. */
export interface FakeStateOptions extends FakeDefinitions {
  readonly threadId?: string;
  /** Default `'agent_1'`. */
  readonly agentId?: string;
  /** Default `null`. */
  readonly userId?: string | null;
  /** The tokens that the thread's model calls used. Default: none. */
  readonly usage?: Partial<ModelUsage>;
  /** Stored messages, oldest first; an id and a time are given where they are missing. */
  readonly messages?: ReadonlyArray<HookMessage | NewMessage>;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Contents by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** What `invokeTool` and `queueTool` find: a text, a result, or a function of the input. */
  readonly tools?: Readonly<Record<string, FakeTool>>;
  /** Where the turn is. Default: side a, the first step, not stopped, no tool call. */
  readonly execution?: Partial<
    Pick<ExecutionState, 'flowId' | 'currentSide' | 'stepCount' | 'stopped' | 'callKey'>
  >;
  /** Child threads; each finds this thread as its parent. */
  readonly children?: readonly FakeState[];
  /** Dates new messages. Default: time stands still, so each is 1 µs later than the one before. */
  readonly clock?: Pick<Clock, 'now'>;
}

const optionNames: OptionNames<FakeStateOptions> = {
  threadId: true,
  agentId: true,
  userId: true,
  usage: true,
  messages: true,
  values: true,
  files: true,
  tools: true,
  execution: true,
  children: true,
  clock: true,
  agents: true,
  prompts: true,
  models: true,
};

/** What a hook did to a fake state; every reading is a copy of how it is now. */
export interface FakeReadings {
  /** The messages, oldest first. */
  readonly stored: readonly FixtureMessage[];
  /** What `queueMessage` keeps for the next step. */
  readonly queued: readonly NewMessage[];
  readonly values: Readonly<Record<string, unknown>>;
  /** By path. */
  readonly files: Readonly<Record<string, FakeFile>>;
  readonly events: ReadonlyArray<{ readonly event: string; readonly data: unknown }>;
  readonly queuedTools: readonly FakeToolUse[];
  readonly invokedTools: readonly FakeToolUse[];
  /** Why the thread was ended for good; `null` while it is not. */
  readonly terminated: string | null;
}

/**
 * A whole thread in memory. It is a plain object: put a function of your own in the place of a method to make it fail
 * or answer otherwise.
 */
export interface FakeState extends ThreadState, FakeReadings {
  /** Aborts the thread, as its user's stop button would. */
  abort(reason?: unknown): void;
}

/** What a fake state keeps that its readers do not see. */
interface Inside {
  readonly messages: FakeMessages;
  parent: FakeState | undefined;
}

const insides = new WeakMap<object, Inside>();

/** A complete thread state in memory, to run a hook on. */
export function fakeState(options: FakeStateOptions = {}): FakeState {
  checkOptionNames('fakeState', options, optionNames);
  const { clock = { now: () => 0 }, children = [] } = options;
  const thread = fakeThread(fakeMessages({ clock, depth: () => getDepth(state) }));
  const { execution, abort } = fakeExecution(options.execution);
  const methods: Omit<FakeState, keyof FakeReadings> = {
    threadId: options.threadId ?? nextId('thread'),
    agentId: options.agentId ?? 'agent_1',
    userId: options.userId ?? null,
    usage: { ...noUsage, ...options.usage },
    execution,
    abort,
    ...messageMethods(thread),
    ...toolMethods(thread, options.tools),
    ...definitionMethods(options),
    ...storageMethods(thread),
    children: children.map(({ threadId }) => threadId),
    getChildThread: async (id) => children.find(({ threadId }) => threadId === id) ?? null,
    getParentThread: async () => insides.get(state)?.parent ?? null,
    emit: (event, data) => void thread.events.push({ event, data }),
    terminate(reason = 'terminated') {
      thread.terminated = reason;
      execution.stop();
    },
  };
  const state = Object.defineProperties(
    methods,
    Object.getOwnPropertyDescriptors(getReadings(thread)),
  ) as FakeState;
  insides.set(state, { messages: thread.messages, parent: undefined });
  fill(state, thread, options);
  return state;
}

function fakeThread(messages: FakeMessages): FakeThread {
  return {
    messages,
    values: fakeValues(),
    files: fakeFiles(),
    queued: [],
    events: [],
    queuedTools: [],
    invokedTools: [],
    terminated: null,
  };
}

function getReadings(thread: FakeThread): FakeReadings {
  return {
    get stored() {
      return thread.messages.list();
    },
    get queued() {
      return structuredClone(thread.queued);
    },
    get values() {
      return thread.values.all();
    },
    get files() {
      return thread.files.all();
    },
    get events() {
      return [...thread.events];
    },
    get queuedTools() {
      return structuredClone(thread.queuedTools);
    },
    get invokedTools() {
      return structuredClone(thread.invokedTools);
    },
    get terminated() {
      return thread.terminated;
    },
  };
}

function fill(state: FakeState, { messages, values, files }: FakeThread, options: FakeStateOptions): void {
  for (const message of options.messages ?? []) messages.append(message);
  for (const [key, value] of Object.entries(options.values ?? {})) values.set(key, value);
  for (const [path, data] of Object.entries(options.files ?? {})) files.write(path, data);
  for (const child of options.children ?? []) (insides.get(child) as Inside).parent = state;
}

/** How many threads are above this one. */
function getDepth(state: FakeState): number {
  const parent = insides.get(state)?.parent;
  return parent === undefined ? 0 : getDepth(parent) + 1;
}

export function isFakeState(state: object): state is FakeState {
  return insides.has(state);
}

/** The messages of a fake state, for the chains around its writes. */
export function getFakeMessages(state: FakeState): FakeMessages {
  return (insides.get(state) as Inside).messages;
}
