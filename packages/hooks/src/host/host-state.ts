import { RunError } from '../errors.ts';
import { type HookPermit, hookPermit, hookTexts } from '../executor/permit.ts';
import { requireText } from '../user-content.ts';
import type { HookMessage } from '../vocabulary/messages.ts';
import type { ModelUsage } from '../vocabulary/model-usage.ts';
import type { ExecutionState, KeyedValue, NewMessage, ThreadState } from '../vocabulary/state.ts';
import type { ThreadValues } from './kept-values.ts';
import {
  type ApplyUpdates,
  type InsertMessage,
  type MessageUpdates,
  methods,
  type ThreadPort,
} from './thread-port.ts';
import type { ThreadRecorder } from './thread-recorder.ts';

/** What the states of a turn are made of. */
export interface StateParts {
  readonly place: string;
  readonly threadId: string;
  readonly agentId: string;
  readonly userId: string | null;
  readonly usage: ModelUsage;
  readonly execution: ExecutionState;
  readonly port: ThreadPort;
  readonly values: ThreadValues;
  /** Keeps the turn's runs, where a store does. */
  readonly recorder: ThreadRecorder | undefined;
  /** Stores a message through its chains. */
  inject(insert: InsertMessage, message: NewMessage, permit: HookPermit | undefined): Promise<HookMessage>;
  /** Changes a message through its chains. */
  update(apply: ApplyUpdates, change: MessageUpdates, permit: HookPermit | undefined): Promise<HookMessage>;
}

/** Who uses a state. */
interface StateUse {
  /** Of the hook that writes: what it writes counts as written within that hook (C8). */
  readonly permit?: HookPermit | undefined;
  /** For the chains of what hooks gave. */
  readonly isOfHooks?: boolean;
  /** In the place of the turn's own. */
  readonly execution?: ExecutionState;
}

/** The thread as hooks see it. */
export function makeState(parts: StateParts, { permit, isOfHooks, execution }: StateUse = {}): ThreadState {
  const state = new (findStateClass(parts.place))(parts, execution ?? parts.execution);
  if (!isEmpty(parts.port)) Object.assign(state, makePortMethods(parts, permit));
  if (permit !== undefined) Object.assign(state, { [hookPermit]: permit });
  if (isOfHooks === true) Object.assign(state, { [hookTexts]: true });
  return state as unknown as ThreadState;
}

/** What a state is made of; nothing for one that is none of a host's, or a hook's view of one. */
export function findParts(state: object): StateParts | undefined {
  return HostState.findParts(state);
}

/** All that states have in common. Methods are inherited: to copy them would take most of the time that a turn is opened in (bench `bridge-ai-sdk`). */
class HostState {
  readonly threadId: string;
  readonly agentId: string;
  readonly userId: string | null;
  readonly execution: ExecutionState;
  readonly children: readonly never[] = [];
  readonly usage: ModelUsage;
  readonly #parts: StateParts;

  constructor(parts: StateParts, execution: ExecutionState) {
    this.threadId = parts.threadId;
    this.agentId = parts.agentId;
    this.userId = parts.userId;
    this.execution = execution;
    this.usage = parts.usage;
    this.#parts = parts;
  }

  static findParts(state: object): StateParts | undefined {
    return #parts in state ? state.#parts : undefined;
  }

  getValue(key: string): Promise<unknown> {
    return this.#parts.values.getValue(key);
  }

  setValue(key: string, value: unknown): Promise<void> {
    return this.#parts.values.setValue(key, value);
  }

  setValuesIf(expected: KeyedValue, next: readonly KeyedValue[]): Promise<boolean> {
    return this.#parts.values.setValuesIf(expected, next);
  }

  /** A thread of somebody else's loop is one that nobody has opened and that opens none, unless its place says otherwise. */
  async getParentThread(): Promise<null> {
    return null;
  }

  async getChildThread(): Promise<null> {
    return null;
  }
}

const stateClasses = new Map<string, typeof HostState>();

/** The states of one place. What it lacks says so. */
function findStateClass(place: string): typeof HostState {
  const known = stateClasses.get(place);
  if (known !== undefined) return known;
  const StateOfPlace = class extends HostState {};
  const lacking = Object.keys(methods).filter((name) => !(name in HostState.prototype));
  for (const name of lacking)
    Object.defineProperty(StateOfPlace.prototype, name, { value: refuse(place, name), writable: true });
  stateClasses.set(place, StateOfPlace);
  return StateOfPlace;
}

function isEmpty(port: object): boolean {
  for (const _ in port) return false;
  return true;
}

/** What the place can do, and how it says what its thread has used. */
function makePortMethods(parts: StateParts, permit: HookPermit | undefined): object {
  const { port } = parts;
  const { listMessages, insertMessage, updateMessage, deleteMessage, usage = parts.usage, ...rest } = port;
  return {
    ...{ usage, ...rest },
    ...(listMessages === undefined ? {} : makeReaders(async () => listMessages.call(port))),
    ...(insertMessage === undefined ? {} : makeInject(parts, insertMessage.bind(port), permit)),
    ...(updateMessage === undefined ? {} : makeUpdate(parts, updateMessage.bind(port), permit)),
    ...(deleteMessage === undefined
      ? {}
      : { deleteMessage: async (id: string) => deleteMessage.call(port, id) }),
  };
}

function makeReaders(
  list: () => Promise<readonly HookMessage[]>,
): Pick<ThreadState, 'getMessages' | 'getMessage'> {
  return {
    getMessages: async ({ last } = {}) => {
      const messages = structuredClone(await list()) as HookMessage[];
      return last === undefined ? messages : last === 0 ? [] : messages.slice(-last);
    },
    getMessage: async (id) => structuredClone((await list()).find((message) => message.id === id)) ?? null,
  };
}

function makeInject(
  parts: StateParts,
  insert: InsertMessage,
  permit: HookPermit | undefined,
): Pick<ThreadState, 'injectMessage'> {
  return { injectMessage: async (message) => parts.inject(insert, requireText(message), permit) };
}

function makeUpdate(
  parts: StateParts,
  apply: ApplyUpdates,
  permit: HookPermit | undefined,
): Pick<ThreadState, 'updateMessage'> {
  return { updateMessage: (id, updates) => parts.update(apply, { id, updates }, permit) };
}

/** `emit` returns no promise; what cannot be heard is refused at once. */
function refuse(place: string, name: string): () => Promise<never> {
  return () => {
    const message = `${place} has no state.${name}: this hook needs a place that has it, or must do without.`;
    const error = new RunError('unsupported', message);
    if (name === 'emit' || name.endsWith('Names')) throw error;
    return Promise.reject(error);
  };
}
