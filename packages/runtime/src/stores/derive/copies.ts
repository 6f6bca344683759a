import { type KeyedValue, RunError, type RunSubject, type TurnMark } from '@spec/hooks';
import type { Commit } from '../driver.ts';
import { copyJson, copyRunFields, itemPlace, metadataPlace, valuePlace } from '../json.ts';
import { badMarkField, cloneMark } from '../mark-fields.ts';
import { copyMessage, fieldPlace, specificationFields } from '../message-fields.ts';
import { foreignEntry } from '../refusals.ts';
import { pickOtherFields, readSubject } from '../run-fields.ts';
import type {
  Append,
  LedgerEntry,
  QueueItem,
  StoredFile,
  ThreadChanges,
  ThreadRecord,
  ToolCallRecord,
} from '../store.ts';

/** A checked copy of an append, which the driver may keep. @throws RunError `invalid_message`, `invalid_input` */
export function copyAppend(threadId: string, append: Append): Commit {
  const { messages, newIds, toolCalls, runs, marks, dequeue, enqueue, values, thread } = append;
  return {
    messages: messages?.map((message) => copyMessage(message, threadId)),
    newIds: newIds && [...newIds],
    toolCalls: toolCalls?.map(copyCall),
    runs: runs && copyRuns(threadId, runs),
    marks: marks && copyMarks(threadId, marks),
    dequeue: dequeue && [...dequeue],
    enqueue: enqueue?.map((item) => copyItem(threadId, item)),
    values: values && copyValues(threadId, values),
    thread: thread && copyChanges(threadId, thread),
  };
}

/** A copy of a tool call. */
export function copyCall({ id, messageId, position, name, status }: ToolCallRecord): ToolCallRecord {
  return { id, messageId, position, name, status };
}

/** A checked copy of a thread's record. @throws RunError `invalid_input` */
export function copyRecord(record: ThreadRecord): ThreadRecord {
  return { ...record, ...copyChanges(record.id, record) };
}

/** A checked copy of a queue item. @throws RunError `invalid_message` */
export function copyItem(threadId: string, item: QueueItem): QueueItem {
  const payload = copyJson(item.payload, itemPlace(item.id, threadId)) as Record<string, unknown>;
  return { ...item, payload };
}

/** Checked copies of ledger entries. @throws RunError `invalid_input`, also for an entry of another thread */
export function copyRuns(threadId: string, runs: readonly LedgerEntry[]): LedgerEntry[] {
  return runs.map((run) => copyRun(threadId, run));
}

/** Copies field by field, so that entries have few hidden classes; a turn has eight entries or more. */
function copyRun(threadId: string, run: LedgerEntry): LedgerEntry {
  if (run.threadId !== threadId) throw foreignEntry(threadId);
  const { turnId, step, at, hook, id, source, outcome, changed, ms, sizeBefore, sizeAfter } = run;
  const own = { threadId, turnId, step, at, hook, id, source, outcome, changed, ms, sizeBefore, sizeAfter };
  const copy: { -readonly [Field in keyof LedgerEntry]: LedgerEntry[Field] } = own;
  if (run.about !== undefined) copy.about = copySubject(threadId, run.about);
  if (run.code !== undefined) copy.code = run.code;
  if (run.why !== undefined) copy.why = run.why;
  const others = pickOtherFields(run);
  return others === null ? copy : Object.assign(copy, copyRunFields(others, threadId));
}

function copySubject(threadId: string, about: RunSubject): RunSubject {
  const subject = readSubject(about);
  if (subject !== undefined) return subject;
  const message = `What a run is about must be { message } or { call } with an id, in the ledger of thread ${threadId}.`;
  throw new RunError('invalid_input', message, { threadId });
}

/** Checked copies of marks. @throws RunError `invalid_input`, also for a mark of another thread */
function copyMarks(threadId: string, marks: readonly TurnMark[]): TurnMark[] {
  return marks.map((mark) => {
    if (mark.threadId !== threadId) throw foreignEntry(threadId);
    const field = badMarkField(mark as unknown as Readonly<Record<string, unknown>>);
    if (field === undefined) return cloneMark(mark);
    const message = `The field ${field} of a mark is missing or wrong, in the ledger of thread ${threadId}.`;
    throw new RunError('invalid_input', message, { threadId });
  });
}

/** Checked copies of values. @throws RunError `invalid_input` */
export function copyValues(threadId: string, values: readonly KeyedValue[]): KeyedValue[] {
  return values.map(({ key, value }) => ({
    key,
    value: value === undefined ? undefined : copyJson(value, valuePlace(key, threadId)),
  }));
}

/** A checked copy of the new fields of a message. Those of the specification are checked with the message. */
export function copyFields(
  threadId: string,
  { id, fields }: { id: string; fields: Readonly<Record<string, unknown>> },
): Record<string, unknown> {
  const copy = ([field, value]: [string, unknown]) =>
    value === undefined || specificationFields.has(field)
      ? [field, value]
      : [field, copyJson(value, fieldPlace(threadId, { id }, field))];
  return Object.fromEntries(Object.entries(fields).map(copy));
}

/** A copy of a file with its data. */
export function copyFile(file: StoredFile): StoredFile {
  return { ...file, data: new Uint8Array(file.data) };
}

function copyChanges(threadId: string, changes: ThreadChanges): ThreadChanges {
  const { currentSide, terminated, turn, compaction, metadata } = changes;
  const copy: ThreadChanges = {};
  if (currentSide !== undefined) copy.currentSide = currentSide;
  if (terminated !== undefined) copy.terminated = terminated;
  if (turn !== undefined) copy.turn = turn && { ...turn };
  if (compaction !== undefined) copy.compaction = compaction && { ...compaction };
  if (metadata !== undefined)
    copy.metadata = copyJson(metadata, metadataPlace(threadId)) as Record<string, unknown>;
  return copy;
}
