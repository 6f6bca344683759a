import { readColumn } from '../../rows/damaged.ts';
import type { ToolCallRecord, ToolCallStatus } from '../../store.ts';

// The calls of a message stand in its row, as JSON text: a list of `[position, id, name, status]` in the order of positions.

/** A call without its message. */
export type CallState = Omit<ToolCallRecord, 'messageId'>;

type PackedCall = [position: number, id: string, name: string, status: number];

/** By their numbers in a row, for ever. */
const statuses: readonly ToolCallStatus[] = ['pending', 'started', 'done'];

/** The text for some calls of one message. */
function encodeCalls(calls: readonly CallState[]): string {
  const packed = calls.map(
    ({ position, id, name, status }): PackedCall => [position, id, name, statuses.indexOf(status)],
  );
  return JSON.stringify(packed);
}

/** The calls of a text. @param row the message, as a refusal names it. @throws RunError `store_unreadable` */
export function decodeCalls(text: string, row: string): CallState[] {
  const place = { table: 'messages', row, column: 'calls' };
  return readColumn(place, () => (JSON.parse(text) as PackedCall[]).map(unpackCall));
}

/** @throws where it is none */
function unpackCall([position, id, name, number]: PackedCall): CallState {
  const status = statuses[number];
  const isCall = typeof position === 'number' && typeof id === 'string' && typeof name === 'string';
  if (!isCall || status === undefined) throw new TypeError('no call');
  return { position, id, name, status };
}

/** The text after new calls were added and others took the place of those with the same position. */
export function mergeCalls(before: string | null, calls: readonly CallState[], row: () => string): string {
  if (before === null) return encodeCalls(inOrder(calls));
  const byPosition = new Map(decodeCalls(before, row()).map((call) => [call.position, call]));
  for (const call of calls) byPosition.set(call.position, call);
  return encodeCalls(inOrder([...byPosition.values()]));
}

function inOrder(calls: readonly CallState[]): CallState[] {
  return calls.toSorted((a, b) => a.position - b.position);
}
