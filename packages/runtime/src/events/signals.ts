import type { FamilyEvent } from './thread-event.ts';

/**
 * What a process tells others about a thread: an event, of which a message is told by its id alone; or that somebody wants the turn to stop.
 * All of it is JSON.
 */
export type Signal =
  | Exclude<FamilyEvent, { type: 'message' | 'message_updated' }>
  | { readonly type: 'message' | 'message_updated'; readonly threadId: string; readonly messageId: string }
  | { readonly type: 'stop'; readonly threadId: string; readonly turnId: string };

/**
 * Carries events between the processes of one store: what a turn in another process says, and the wish to stop it. They are hints: one may be
 * lost, and nothing depends on any of them. `postgresSignals` of `@spec/postgres` is one.
 */
export interface Signals {
  /** Tells all who listen to the thread, this process too. Never throws. */
  publish(threadId: string, signal: Signal & { readonly from: string }): void;
  /**
   * Calls a function with what is told about a thread.
   *
   * @param onGap called where something may have been missed
   * @returns a function that ends it
   */
  subscribe(
    threadId: string,
    hear: (signal: Signal & { readonly from: string }) => void,
    onGap: () => void,
  ): () => void;
  close(): Promise<void>;
}

/** An event as others are told it; `undefined` where it cannot be. */
export function makeSignal(event: FamilyEvent): Signal | undefined {
  if (event.type === 'message' || event.type === 'message_updated')
    return { type: event.type, threadId: event.threadId, messageId: event.message.id };
  if (event.type === 'session_ended') return undefined; // Of that process.
  if (event.type === 'custom' && !isJson(event.data))
    return { type: 'events_dropped', count: 1, threadId: event.threadId };
  return event;
}

function isJson(data: unknown): boolean {
  try {
    return data === undefined || JSON.stringify(data) !== undefined;
  } catch {
    return false;
  }
}
