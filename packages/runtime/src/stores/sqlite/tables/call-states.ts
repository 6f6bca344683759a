import { readColumn } from '../../rows/damaged.ts';
import type { ToolCallRecord, ToolCallStatus } from '../../store.ts';

// The states of a message's calls, stored in its row (column `calls`) as JSON text: a list of `[position, id, name, status]` by position.

/** A call without its message. */
export type CallState = Omit<ToolCallRecord, 'messageId'>;

type PackedCall = [position: number, id: string, name: string, status: number];

/** The status numbers in rows are indexes of this list, so its order must never change. */
const statuses: readonly ToolCallStatus[] = ['pending', 'started', 'done'];

/** Encodes the calls of one message. */
function encodeCalls(calls: readonly CallState[]): string {
  const packed = calls.map(
    ({ position, id, name, status }): PackedCall => [position, id, name, statuses.indexOf(status)],
  );
  return JSON.stringify(packed);
}

/** Decodes the calls of one message. @param row the message's name in errors @throws RunError `store_unreadable` */
export function decodeCalls(text: string, row: string): CallState[] {
  const place = { table: 'messages', row, column: 'calls' };
  return readColumn(place, () => (JSON.parse(text) as PackedCall[]).map(unpackCall));
}

/** @throws if the value is not a packed call */
function unpackCall([position, id, name, number]: PackedCall): CallState {
  const status = statuses[number];
  const isCall = typeof position === 'number' && typeof id === 'string' && typeof name === 'string';
  if (!isCall || status === undefined) throw new TypeError('no call');
  return { position, id, name, status };
}

/** The text after calls were added or, at the same position, replaced. */
export function mergeCalls(before: string | null, calls: readonly CallState[], row: () => string): string {
  const known = before === null ? [] : decodeCalls(before, row());
  const byPosition = new Map(known.map((call) => [call.position, call]));
  for (const call of calls) byPosition.set(call.position, call);
  return encodeCalls(inOrder([...byPosition.values()]));
}

function inOrder(calls: readonly CallState[]): CallState[] {
  return calls.toSorted((a, b) => a.position - b.position);
}
