import { cloneRecord } from './clone.ts';
import { sameRecord } from './same.ts';

/**
 * Copying and comparing messages by the fields that they have. Each hook of a chain gets a copy of every message (C2), so
 * this is where a chain's time goes.
 *
 * L1 The fields of a message are looked up once per chain; that is its layout.
 * L2 Each layout that is common has its own line of code, so that an engine finds objects of one kind there: that makes
 *    a copy four times as fast as one line for all (bench `chain-of-four`). A line says no more than `{ ...message }` and `sameRecord`.
 * L3 Only plain values are in such a layout. Every other message is copied and compared as any record is.
 */
export type Layout = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

const ANY = 0;
const FOR_MODEL = 1;
const TEXT = 2;
const CALLS = 3;
const RESULT = 4;
const NAMED_RESULT = 5;
/** As a runtime stores it. */
const STATUS_RESULT = 6;
/** With metadata as text. */
const STAMPED_TEXT = 7;
const STAMPED_CALLS = 8;
const STAMPED_RESULT = 9;

type Fields = Readonly<Record<string, unknown>>;

/** The layout whose fields a message has and no others, all of them plain values. */
export function chooseLayout(message: object): Layout {
  const m = message as Fields;
  if (typeof m.role !== 'string' || (typeof m.content !== 'string' && m.content !== null)) return ANY;
  const fields = count(m);
  if (fields === 2) return FOR_MODEL;
  if (typeof m.id !== 'string' || typeof m.created_at !== 'number') return ANY;
  const isStamped = typeof m.metadata === 'string';
  const others = fields - (isStamped ? 5 : 4);
  if (others === 0) return isStamped ? STAMPED_TEXT : TEXT;
  if (typeof m.tool_call_id === 'string') return makeLayoutOfResult(m, others, isStamped);
  if (others !== 1 || typeof m.tool_calls !== 'string') return ANY;
  return isStamped ? STAMPED_CALLS : CALLS;
}

/** @param others how many fields it has besides those that every message has */
function makeLayoutOfResult(m: Fields, others: number, isStamped: boolean): Layout {
  if (others === 1) return isStamped ? ANY : RESULT;
  if (typeof m.name !== 'string') return ANY;
  if (others === 2) return isStamped ? ANY : NAMED_RESULT;
  if (others !== 3 || typeof m.status !== 'string') return ANY;
  return isStamped ? STAMPED_RESULT : STATUS_RESULT;
}

/** A copy of a message for one hook (C2). */
export function copyByLayout(message: object, layout: Layout): object {
  const m = message as Fields;
  switch (layout) {
    case FOR_MODEL:
      return { role: m.role, content: m.content };
    case TEXT:
      return { id: m.id, role: m.role, content: m.content, created_at: m.created_at };
    case CALLS: {
      const { id, role, content, created_at, tool_calls } = m;
      return { id, role, content, created_at, tool_calls };
    }
    case RESULT: {
      const { id, role, content, tool_call_id, created_at } = m;
      return { id, role, content, tool_call_id, created_at };
    }
    case NAMED_RESULT: {
      const { id, role, content, name, tool_call_id, created_at } = m;
      return { id, role, content, name, tool_call_id, created_at };
    }
    case STATUS_RESULT: {
      const { id, role, content, name, tool_call_id, created_at, status } = m;
      return { id, role, content, name, tool_call_id, created_at, status };
    }
    default:
      return copyStamped(m, layout);
  }
}

function copyStamped(m: Fields, layout: Layout): object {
  switch (layout) {
    case STAMPED_TEXT: {
      const { id, role, content, created_at, metadata } = m;
      return { id, role, content, created_at, metadata };
    }
    case STAMPED_CALLS: {
      const { id, role, content, created_at, tool_calls, metadata } = m;
      return { id, role, content, created_at, tool_calls, metadata };
    }
    case STAMPED_RESULT: {
      const { id, role, content, name, tool_call_id, created_at, metadata, status } = m;
      return { id, role, content, name, tool_call_id, created_at, metadata, status };
    }
    default:
      return cloneRecord(m);
  }
}

/** Whether what a hook returned holds the same as the message that it was lent a copy of. */
export function isSame(returned: object, message: object, layout: Layout): boolean {
  return (
    hasSameFields(returned as Fields, message as Fields, layout) ||
    sameRecord(returned as Fields, message as Fields)
  );
}

function hasSameFields(a: Fields, m: Fields, layout: Layout): boolean {
  switch (layout) {
    case FOR_MODEL:
      return a.role === m.role && a.content === m.content && count(a) === 2;
    case TEXT:
      return isSameText(a, m) && count(a) === 4;
    case CALLS:
      return isSameWithCalls(a, m) && count(a) === 5;
    case RESULT:
      return isSameResult(a, m) && count(a) === 5;
    case NAMED_RESULT:
      return isSameNamedResult(a, m) && count(a) === 6;
    case STATUS_RESULT:
      return isSameStatusResult(a, m) && count(a) === 7;
    case STAMPED_TEXT:
      return isSameStampedText(a, m) && count(a) === 5;
    case STAMPED_CALLS:
      return isSameStampedCalls(a, m) && count(a) === 6;
    case STAMPED_RESULT:
      return isSameStampedResult(a, m) && count(a) === 8;
    default:
      return false;
  }
}

function isSameText(a: Fields, m: Fields): boolean {
  return a.id === m.id && a.role === m.role && a.content === m.content && a.created_at === m.created_at;
}

function isSameWithCalls(a: Fields, m: Fields): boolean {
  const isSameHead = a.id === m.id && a.role === m.role && a.content === m.content;
  return isSameHead && a.tool_calls === m.tool_calls && a.created_at === m.created_at;
}

function isSameResult(a: Fields, m: Fields): boolean {
  const isSameHead = a.id === m.id && a.role === m.role && a.content === m.content;
  return isSameHead && a.tool_call_id === m.tool_call_id && a.created_at === m.created_at;
}

function isSameNamedResult(a: Fields, m: Fields): boolean {
  const isSameHead = a.id === m.id && a.role === m.role && a.content === m.content && a.name === m.name;
  return isSameHead && a.tool_call_id === m.tool_call_id && a.created_at === m.created_at;
}

function isSameStatusResult(a: Fields, m: Fields): boolean {
  const isSameHead = a.id === m.id && a.role === m.role && a.content === m.content && a.name === m.name;
  return (
    isSameHead && a.tool_call_id === m.tool_call_id && a.created_at === m.created_at && a.status === m.status
  );
}

function isSameStampedText(a: Fields, m: Fields): boolean {
  const isSameHead = a.id === m.id && a.role === m.role && a.content === m.content;
  return isSameHead && a.created_at === m.created_at && a.metadata === m.metadata;
}

function isSameStampedCalls(a: Fields, m: Fields): boolean {
  const isSameHead = a.id === m.id && a.role === m.role && a.content === m.content;
  const isSameTail = a.created_at === m.created_at && a.metadata === m.metadata;
  return isSameHead && isSameTail && a.tool_calls === m.tool_calls;
}

function isSameStampedResult(a: Fields, m: Fields): boolean {
  const isSameHead = a.id === m.id && a.role === m.role && a.content === m.content && a.name === m.name;
  const isSameTail = a.created_at === m.created_at && a.metadata === m.metadata && a.status === m.status;
  return isSameHead && isSameTail && a.tool_call_id === m.tool_call_id;
}

function count(record: object): number {
  let fields = 0;
  for (const _ in record) fields++;
  return fields;
}
