import type { Append, LedgerEntry, QueueItem, StoredMessage, ToolCallRecord } from '../stores/store.ts';
import type { Line } from './format.ts';
import { badLine } from './lines.ts';

/** Lines that will be stored together. */
export interface Batch {
  readonly messages: StoredMessage[];
  readonly toolCalls: ToolCallRecord[];
  readonly values: { key: string; value: unknown }[];
  readonly enqueue: QueueItem[];
  readonly runs: LedgerEntry[];
  characters: number;
  /** The numbers of the first and the last one; `undefined` where there is none yet. */
  lines: readonly [first: number, last: number] | undefined;
}

const fullAtLines = 200;
const fullAtCharacters = 1_000_000;

export function newBatch(): Batch {
  return { messages: [], toolCalls: [], values: [], enqueue: [], runs: [], characters: 0, lines: undefined };
}

/** @throws RunError `invalid_input` for a line that is not part of a thread. */
export function addToBatch(batch: Batch, added: { line: Line; number: number; threadId: string }): void {
  const { line, number, threadId } = added;
  if ('message' in line) {
    batch.messages.push(line.message);
    batch.characters += line.message.content?.length ?? 0;
  } else if ('call' in line) batch.toolCalls.push(line.call);
  else if ('value' in line) batch.values.push(line.value);
  else if ('item' in line) batch.enqueue.push(line.item);
  else if ('run' in line) batch.runs.push({ ...line.run, threadId });
  else throw badLine(number, 'it is not part of a thread');
  batch.lines = [batch.lines?.[0] ?? number, number];
}

/** Whether it is time to store a batch. */
export function isFull({ lines, characters }: Batch): boolean {
  return lines !== undefined && (lines[1] - lines[0] >= fullAtLines || characters >= fullAtCharacters);
}

export function appendOf({ messages, toolCalls, values, enqueue, runs }: Batch): Append {
  return { messages, toolCalls, values, enqueue, runs };
}
