import { isRecord } from '@spec/hooks';
import { diffArrays } from 'diff';

/** One text that a hook changed: within its subject, where, and from what to what. */
export interface TextChange {
  /** Such as `content` or `[3].tool_calls`; empty where the subject is a text itself. */
  readonly path: string;
  /** `null`: there was nothing. */
  readonly before: string | null;
  /** `null`: there is nothing any more. */
  readonly after: string | null;
}

/** What is different between two values, text by text. Items of lists are told apart by what they hold. */
export function textChanges(before: unknown, after: unknown, path = ''): TextChange[] {
  if (Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(before, after, path);
  if (isRecord(before) && isRecord(after)) {
    const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...fields].flatMap((field) => textChanges(before[field], after[field], join(path, field)));
  }
  const change = { path, before: writeText(before), after: writeText(after) };
  return change.before === change.after ? [] : [change];
}

/** Where as many items come as go, each has taken the place of the other. */
function listChanges(before: readonly unknown[], after: readonly unknown[], path: string): TextChange[] {
  const parts = diffArrays([...before.map(makeKey)], [...after.map(makeKey)]);
  const changes: TextChange[] = [];
  let [old, now] = [0, 0];
  for (const [i, { added, removed, count }] of parts.entries()) {
    const next = parts[i + 1];
    if (removed && next?.added && next.count === count) continue;
    const previous = parts[i - 1];
    const isSwap = added && previous?.removed === true && previous.count === count;
    for (let item = 0; item < count; item++) {
      const place = `${path}[${added ? now + item : old + item}]`;
      if (isSwap) changes.push(...textChanges(before[old + item], after[now + item], place));
      else if (removed) changes.push({ path: place, before: writeText(before[old + item]), after: null });
      else if (added) changes.push({ path: place, before: null, after: writeText(after[now + item]) });
    }
    if (!added || isSwap) old += count;
    if (!removed) now += count;
  }
  return changes;
}

function makeKey(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function writeText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : makeKey(value);
}

function join(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}
