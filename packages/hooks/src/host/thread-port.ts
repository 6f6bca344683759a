import type { Promisable } from 'type-fest';
import type { HookMessage } from '../vocabulary/messages.ts';
import type { ModelUsage } from '../vocabulary/model-usage.ts';
import type { NewMessage, ThreadState } from '../vocabulary/state.ts';

/** Stores a message that has passed `before_create_message`. */
export type InsertMessage<Stored = HookMessage> = (message: NewMessage) => Promisable<Stored>;

/** Stores changes that have passed `before_update_message`. */
export type ApplyUpdates = (id: string, updates: Record<string, unknown>) => Promisable<HookMessage>;

/** Changes of a stored message. */
export interface MessageUpdates {
  readonly id: string;
  readonly updates: Record<string, unknown>;
}

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
export const methods: { readonly [Name in MethodName]: true } = {
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
  'getParentThread' | 'getChildThread'
>;

/** Whether hooks can write messages there. */
export function writesMessages({ insertMessage, updateMessage }: ThreadPort): boolean {
  return insertMessage !== undefined || updateMessage !== undefined;
}
