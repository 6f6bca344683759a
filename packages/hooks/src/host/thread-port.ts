import type { Promisable } from 'type-fest';
import { RunError } from '../errors.ts';
import { type HookPermit, hookPermit } from '../executor/permit.ts';
import { requireText } from '../user-content.ts';
import type { HookMessage } from '../vocabulary/messages.ts';
import type { ModelUsage } from '../vocabulary/model-usage.ts';
import type { ExecutionState, NewMessage, ThreadState } from '../vocabulary/state.ts';
import type { ThreadValues } from './kept-values.ts';
import type { ApplyUpdates, InsertMessage, MessageUpdates } from './messages.ts';

/**
 * What a place lets hooks do with its thread. Leave out what it cannot: a hook that calls it is told so, with an error of the code
 * `unsupported`.
 */
export interface ThreadPort
  extends Partial<
    Omit<
      ThreadState,
      | 'threadId'
      | 'agentId'
      | 'userId'
      | 'execution'
      | 'usage'
      | 'getMessages'
      | 'getMessage'
      | 'injectMessage'
      | 'updateMessage'
      | 'deleteMessage'
    >
  > {
  /** What the thread's model calls have used so far. Default: what this turn has been told. */
  readonly usage?: ModelUsage;
  /** All messages, the oldest first. */
  listMessages?(): Promisable<readonly HookMessage[]>;
  /** Stores a message that has passed `before_create_message`. */
  insertMessage?(message: NewMessage): Promisable<HookMessage>;
  /** Stores changes that have passed `before_update_message`. */
  updateMessage?(id: string, updates: Record<string, unknown>): Promisable<HookMessage>;
  /** @returns whether there was one */
  deleteMessage?(id: string): Promisable<boolean>;
}

/** The methods that a place may lack. */
const methods: { readonly [Name in MethodName]: true } = {
  ...{ getMessages: true, getMessage: true, injectMessage: true, updateMessage: true, deleteMessage: true },
  ...{ queueMessage: true, queueTool: true, invokeTool: true, getValue: true, setValue: true },
  ...{ loadAgent: true, loadPrompt: true, loadModel: true, loadTool: true, setValuesIf: true },
  ...{ writeFile: true, readFile: true, statFile: true, listFiles: true, unlinkFile: true },
  ...{ terminate: true, emit: true },
  ...{ agentNames: true, promptNames: true, modelNames: true, toolNames: true },
};

type MethodName = Exclude<
  {
    [Name in keyof ThreadState]: ThreadState[Name] extends (...args: never[]) => unknown ? Name : never;
  }[keyof ThreadState],
  keyof typeof alone
>;

/** What a state is made of. */
export interface StateParts {
  readonly place: string;
  readonly threadId: string;
  readonly agentId: string;
  readonly userId: string | null;
  readonly usage: ModelUsage;
  readonly execution: ExecutionState;
  readonly port: ThreadPort;
  readonly values: ThreadValues;
  /** Stores a message through its chains. */
  inject(insert: InsertMessage, message: NewMessage, permit: HookPermit | undefined): Promise<HookMessage>;
  /** Changes a message through its chains. */
  update(apply: ApplyUpdates, change: MessageUpdates, permit: HookPermit | undefined): Promise<HookMessage>;
}

/** The thread as hooks see it. With the permit of a hook, what it writes counts as written within that hook (C8). */
export function makeState(parts: StateParts, permit?: HookPermit): ThreadState {
  const { place, values, threadId, agentId, userId, execution } = parts;
  const state = Object.create(findLacking(place)) as object;
  Object.assign(state, { threadId, agentId, userId, execution, children: [] }, makeValueMethods(values));
  Object.assign(state, makePortMethods(parts, permit));
  if (permit !== undefined) Object.assign(state, { [hookPermit]: permit });
  return state as ThreadState;
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

/** A thread of somebody else's loop is one that nobody has opened and that opens none, unless its place says otherwise. */
const alone: Pick<ThreadState, 'getParentThread' | 'getChildThread'> = {
  getParentThread: async () => null,
  getChildThread: async () => null,
};

/** Whether hooks can write messages there. */
export function writesMessages({ insertMessage, updateMessage }: ThreadPort): boolean {
  return insertMessage !== undefined || updateMessage !== undefined;
}

const lackingIn = new Map<string, object>();

/** All methods as a place without any of them has them. States inherit them: to copy them would take most of the time that a turn is opened in (bench `bridge-ai-sdk`). */
function findLacking(place: string): object {
  const known = lackingIn.get(place);
  if (known !== undefined) return known;
  const refusing = Object.keys(methods).map((name) => [name, refuse(place, name)]);
  const lacking: object = { ...Object.fromEntries(refusing), ...alone };
  lackingIn.set(place, lacking);
  return lacking;
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

function makeValueMethods(values: ThreadValues): ThreadValues {
  return {
    getValue: (key) => values.getValue(key),
    setValue: (key, value) => values.setValue(key, value),
    setValuesIf: (expected, next) => values.setValuesIf(expected, next),
  };
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
