import { isRecord, RunError } from '@spec/hooks';
import { checkMessage } from './message-fields.ts';
import type { Store, StoredMessage, ThreadHead } from './store.ts';

/** The place of a value that the runtime itself keeps with a thread. */
export interface KeptPlace {
  readonly threadId: string;
  readonly key: string;
}

/**
 * Reads a value that the runtime itself keeps with a thread. A value of another form is damaged, and does not count as absent.
 *
 * @throws {RunError} `store_unreadable`
 */
export async function readKept<T>(
  store: Pick<Store, 'getValue'>,
  place: KeptPlace,
  isForm: (value: unknown) => value is T,
): Promise<T | undefined> {
  return checkKept(await store.getValue(place.threadId, place.key), place, isForm);
}

/** The same, where the thread's head has been read with it. @throws {RunError} `store_unreadable` */
export function findInHead<T>(
  { record, values }: Pick<ThreadHead, 'record' | 'values'>,
  key: string,
  isForm: (value: unknown) => value is T,
): T | undefined {
  const kept = values.find((value) => value.key === key)?.value;
  return checkKept(kept, { threadId: record.id, key }, isForm);
}

function checkKept<T>(
  kept: unknown,
  { threadId, key }: KeptPlace,
  isForm: (value: unknown) => value is T,
): T | undefined {
  if (kept === undefined || isForm(kept)) return kept;
  const message = `The value ${key} of thread ${threadId} is damaged: it does not have the form that the runtime writes. Remove it, or restore a copy of the store.`;
  throw new RunError('store_unreadable', message, { threadId });
}

/** Whether a value is a list of texts. */
export function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Whether a value names a step of a turn. */
export function isStepOfTurn(value: unknown): value is { readonly turnId: string; readonly step: number } {
  return isRecord(value) && isText(value.turnId) && Number.isSafeInteger(value.step);
}

export function isStoredMessage(value: unknown): value is StoredMessage {
  if (!isRecord(value)) return false;
  try {
    checkMessage(value as unknown as StoredMessage, '');
    return true;
  } catch {
    return false;
  }
}
