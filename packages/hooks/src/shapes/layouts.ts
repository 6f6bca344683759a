import { cloneRecord } from './clone.ts';
import { sameRecord } from './same.ts';

/**
 * Copying and comparing messages by the fields that they have. Each hook of a chain gets a copy of every message (C2), so
 * this is where a chain's time goes.
 *
 * L1 The fields of a message are looked up once per chain; that is its layout.
 * L2 Each layout that is common has its own line of code, so that an engine finds objects of one kind there: that makes
 *    a copy four times as fast as one line for all. A line says no more than `{ ...message }` and `sameRecord`.
 * L3 Only plain values are in such a layout. Every other message is copied and compared as any record is.
 */
export type Layout = 0 | 1 | 2 | 3 | 4 | 5;

const ANY = 0;
const FOR_MODEL = 1;
const TEXT = 2;
const CALLS = 3;
const RESULT = 4;
const NAMED_RESULT = 5;

type Fields = Readonly<Record<string, unknown>>;

/** The layout whose fields a message has and no others, all of them plain values. */
export function layoutOf(m: Fields): Layout {
  if (typeof m.role !== 'string' || (typeof m.content !== 'string' && m.content !== null)) return ANY;
  const fields = count(m);
  if (fields === 2) return FOR_MODEL;
  if (typeof m.id !== 'string' || typeof m.created_at !== 'number') return ANY;
  if (fields === 4) return TEXT;
  if (fields === 5 && typeof m.tool_calls === 'string') return CALLS;
  if (typeof m.tool_call_id !== 'string') return ANY;
  if (fields === 5) return RESULT;
  return fields === 6 && typeof m.name === 'string' ? NAMED_RESULT : ANY;
}

/** A copy of a message for one hook (C2). */
export function copyOf(m: Fields, layout: Layout): object {
  switch (layout) {
    case FOR_MODEL:
      return { role: m.role, content: m.content };
    case TEXT:
      return { id: m.id, role: m.role, content: m.content, created_at: m.created_at };
    case CALLS:
      return {
        id: m.id,
        role: m.role,
        content: m.content,
        tool_calls: m.tool_calls,
        created_at: m.created_at,
      };
    case RESULT:
      return {
        id: m.id,
        role: m.role,
        content: m.content,
        tool_call_id: m.tool_call_id,
        created_at: m.created_at,
      };
    case NAMED_RESULT: {
      const { id, role, content, name, tool_call_id, created_at } = m;
      return { id, role, content, name, tool_call_id, created_at };
    }
    default:
      return cloneRecord(m);
  }
}

/** Whether what a hook returned holds the same as the message that it was lent a copy of. */
export function isSame(a: Fields, m: Fields, layout: Layout): boolean {
  return hasSameFields(a, m, layout) || sameRecord(a, m);
}

function hasSameFields(a: Fields, m: Fields, layout: Layout): boolean {
  switch (layout) {
    case FOR_MODEL:
      return a.role === m.role && a.content === m.content && count(a) === 2;
    case TEXT:
      return isSameText(a, m);
    case CALLS:
      return isSameWithCalls(a, m);
    case RESULT:
      return isSameResult(a, m);
    case NAMED_RESULT:
      return isSameNamedResult(a, m);
    default:
      return false;
  }
}

function isSameText(a: Fields, m: Fields): boolean {
  const isSameHead = a.id === m.id && a.role === m.role && a.content === m.content;
  return isSameHead && a.created_at === m.created_at && count(a) === 4;
}

function isSameWithCalls(a: Fields, m: Fields): boolean {
  const isSameHead = a.id === m.id && a.role === m.role && a.content === m.content;
  return isSameHead && a.tool_calls === m.tool_calls && a.created_at === m.created_at && count(a) === 5;
}

function isSameResult(a: Fields, m: Fields): boolean {
  const isSameHead = a.id === m.id && a.role === m.role && a.content === m.content;
  return isSameHead && a.tool_call_id === m.tool_call_id && a.created_at === m.created_at && count(a) === 5;
}

function isSameNamedResult(a: Fields, m: Fields): boolean {
  const isSameHead = a.id === m.id && a.role === m.role && a.content === m.content && a.name === m.name;
  return isSameHead && a.tool_call_id === m.tool_call_id && a.created_at === m.created_at && count(a) === 6;
}

function count(record: object): number {
  let fields = 0;
  for (const _ in record) fields++;
  return fields;
}
