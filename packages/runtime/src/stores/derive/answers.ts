import { isRecord } from '@spec/hooks';
import type { MessageRange, StoreDriver } from '../driver.ts';
import { among, type Check, isWholeNumber, optional } from '../field-checks.ts';
import { isText } from '../kept-value.ts';
import type { QueueItem, ToolCallStatus } from '../store.ts';

/** What a driver may be asked. */
export type DriverMethod = Exclude<keyof StoreDriver, 'answersAreCopies'>;

/** What a method must answer, in words and as a check of its form, given what it was asked. */
interface Form {
  readonly words: string;
  holds(answer: unknown, given: readonly unknown[]): boolean;
}

// The form alone: whether every field of a row is whole is for the driver to know. A check of a list costs a look at each row.

const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number' && !Number.isNaN(value);
const isId: Check = (value) => isText(value) && value !== '';
const anything: Form = { words: 'anything', holds: () => true };

const withFields =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([field, check]) => check(value[field]));
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const isThread = withFields({ id: isId, agentId: isText, parentId: orNull(isText), depth: isNumber });
const isMessage: Check = (value) => isRecord(value) && isId(value.id) && isText(value.role);
const isCall = withFields({
  id: isText,
  messageId: isId,
  position: isWholeNumber,
  name: isText,
  status: among<ToolCallStatus>({ pending: true, started: true, done: true }),
});
const isItem = withFields({
  id: isText,
  kind: among<QueueItem['kind']>({ message: true, inject: true, tool: true, stop: true }),
  payload: isRecord,
});
const isValue: Check = (value) => isRecord(value) && isText(value.key) && 'value' in value;
const isFile = withFields({ path: isText, name: isText, mimeType: isText, size: isWholeNumber });
const isLease = withFields({
  owner: orNull(isText),
  fence: isWholeNumber,
  expiresAt: isNumber,
  readAt: optional(isNumber),
});
const isRow: Check = (value) => isRecord(value);
const isCommitAnswer: Check = (value) =>
  isRecord(value) &&
  isFlag(value.applied) &&
  optional(isFlag)(value.waiting) &&
  optional(isMessage)(value.replaced);

const of = (words: string, holds: Check): Form => ({ words, holds });
const listAnswer = (rows: string, check: Check): Form => of(`a list of ${rows}`, listOf(check));

/** What was asked for under an id must have it: nobody gets what belongs to another. */
const named = (what: string, check: Check, { field, at }: { field: string; at: number }): Form => ({
  words: `${what} that was asked for, or null`,
  holds: (answer, given) =>
    answer === null || (check(answer) && (answer as Record<string, unknown>)[field] === given[at]),
});

/** The messages of a range: a driver that does not keep to it would have a reader go round in circles. */
function isOfRange(answer: unknown, { count, before, after }: MessageRange): boolean {
  if (!listOf(isMessage)(answer)) return false;
  const messages = answer as readonly { readonly id: string }[];
  if (count >= 0 && messages.length > count) return false;
  if (before === undefined && after === undefined) return true;
  return !messages.some(({ id }) => id === before || id === after);
}

/** A page whose `next` is not further on would be read for ever. */
function isPage(answer: unknown, { from }: { readonly from: number }): boolean {
  if (!isRecord(answer) || !listOf(isRow)(answer.runs)) return false;
  return answer.next === null || (isNumber(answer.next) && (answer.next as number) > from);
}

/** What is needed of one thread before one works on it. */
const isHead = withFields({
  record: isThread,
  children: listOf(isText),
  values: listOf(isValue),
  messages: listOf(isMessage),
  ends: optional(withFields({ oldest: listOf(isMessage), newest: listOf(isMessage) })),
});
const isTaken = withFields({ fence: isWholeNumber, expiresAt: isNumber });
const isHeadFor = (head: unknown, threadId: unknown): boolean =>
  isHead(head) && (head as { record: { id: string } }).record.id === threadId;

const forms: Readonly<Record<DriverMethod, Form>> = {
  createThread: of('true or false', isFlag),
  getThread: named('the thread', isThread, { field: 'id', at: 0 }),
  listThreads: listAnswer('threads', isThread),
  deleteThread: of('true or false', isFlag),
  commit: of('{ applied }', isCommitAnswer),
  findMessage: named('the message', isMessage, { field: 'id', at: 1 }),
  listMessages: {
    words: 'a list of the messages in the range',
    holds: (answer, [, range]) => isOfRange(answer, range as MessageRange),
  },
  listToolCalls: listAnswer('tool calls', isCall),
  listQueue: listAnswer('items', isItem),
  listValues: listAnswer('{ key, value }', isValue),
  listFiles: listAnswer('files', isFile),
  readFile: named('the file', (file) => isFile(file) && isRecord(file) && file.data instanceof Uint8Array, {
    field: 'path',
    at: 1,
  }),
  readLease: of('a lease or null', orNull(isLease)),
  changeLease: of('a lease or null', orNull(isLease)),
  pageRuns: {
    words: '{ runs, next } with a next that is null or further on',
    holds: (answer, [page]) => isPage(answer, page as { from: number }),
  },
  listMarks: listAnswer('marks', isRow),
  pruneRuns: of('a number of runs', isWholeNumber),
  close: anything,
  countMessages: of('a number of messages', isWholeNumber),
  listRuns: listAnswer('runs', isRow),
  readHead: {
    words: 'the head of the thread that was asked for, or null',
    holds: (answer, [threadId]) => answer === null || isHeadFor(answer, threadId),
  },
  takeOver: {
    words: 'the lease and the head of the thread that was asked for, or null',
    holds: (answer, [threadId]) =>
      answer === null || (isTaken(answer) && isHeadFor((answer as { head: unknown }).head, threadId)),
  },
  backup: anything,
};

export const driverMethods: readonly DriverMethod[] = Object.keys(forms) as DriverMethod[];

/** What a driver should have answered, in words; `undefined` where it did. */
export function findWrongAnswer(
  method: DriverMethod,
  given: readonly unknown[],
  answer: unknown,
): string | undefined {
  const { words, holds } = forms[method];
  return holds(answer, given) ? undefined : words;
}
