import { isRecord } from '@spec/hooks';
import type { TurnRequest, TurnResult } from '@spec/runtime';

/** The name of the virtual object whose keys are threads: Restate runs one turn of a thread at a time. */
export const SERVICE = 'spec-hooks-thread';

/** What a worker is called with. */
export interface TurnCall {
  readonly threadId: string;
  readonly request: TurnRequest;
  /** The id of the call, where somebody waits for its end: another one in the end says that the turn was called before. */
  readonly call?: string | undefined;
}

/** What Restate keeps of a turn that has ended: no text, which stays in the store, where it can be deleted. */
export type TurnEnd = Pick<TurnResult, 'turnId' | 'status' | 'steps' | 'usage'> & Pick<TurnCall, 'call'>;

/** Why a turn ended with an error. Texts of errors stay in the store, too. */
export interface TurnFailure extends Pick<TurnCall, 'call'> {
  readonly code: string;
}

/** An id as a key of Restate, which takes no half of an emoji and no NUL: ids with other letters than usual are encoded. */
export function encodeKey(id: string): string {
  return /^[\w.:@-]{1,200}$/.test(id) ? id : `~${Buffer.from(JSON.stringify(id)).toString('base64url')}`;
}

/** Whether something is a turn of the thread that a key stands for. Whoever reaches the ingress may have sent it. */
export function isTurnCall(value: unknown, key: string): value is TurnCall {
  if (!isRecord(value) || typeof value.threadId !== 'string' || encodeKey(value.threadId) !== key)
    return false;
  const { request, call } = value;
  if (call !== undefined && typeof call !== 'string') return false;
  if (!isRecord(request) || typeof request.id !== 'string' || request.id === '') return false;
  const { messages, runs = [] } = request;
  return areRecords(messages, ['id', 'role']) && areRecords(runs, ['threadId', 'hook', 'id']);
}

function areRecords(list: unknown, texts: readonly string[]): boolean {
  if (!Array.isArray(list)) return false;
  return list.every((one) => isRecord(one) && texts.every((name) => typeof one[name] === 'string'));
}
