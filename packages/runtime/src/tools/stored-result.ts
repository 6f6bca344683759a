import type { HookToolCall } from '@spec/hooks';
import { makeErrorResult } from '@spec/hooks/host';
import { findRunCode, isAborted } from '../aborted.ts';
import { toToolRow } from '../history/exchanges.ts';
import type { Append, StoredMessage, ToolCallRecord } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { warn } from '../warn.ts';
import { leavesTurnOpen } from '../writes/commit.ts';
import { completeMessage, storeMessage } from '../writes/messages.ts';
import { isCallDeleted } from './call-records.ts';

type Values = NonNullable<Append['values']>;

/** What is committed together with the row of a result. */
export interface ResultParts {
  readonly call: HookToolCall;
  readonly record: ToolCallRecord;
  readonly values: Values;
  /** Values that keep texts for a crash: the batch has them in memory too. */
  readonly kept: Values;
}

/**
 * Stores the row of a result. A tool has run, so its call gets a row whatever the store says of this one: the row alone, else one that says what
 * happened.
 *
 * @returns the row that is stored in its place, if one is
 * @throws what the store threw, where it takes none of them, or can take nothing now
 */
export async function storeToolResult(
  view: ThreadView,
  message: StoredMessage,
  parts: ResultParts,
): Promise<StoredMessage | undefined> {
  try {
    await storeRow(view, message, { ...parts, values: [...parts.kept, ...parts.values] });
    return undefined;
  } catch (error) {
    if (isOfThread(error)) throw error;
    return storeInstead(view, message, { ...parts, refusal: error });
  }
}

async function storeInstead(
  view: ThreadView,
  message: StoredMessage,
  { refusal, ...parts }: ResultParts & { readonly refusal: unknown },
): Promise<StoredMessage> {
  try {
    await storeRow(view, message, parts);
    return message;
  } catch (error) {
    if (isOfThread(error)) throw error;
  }
  const said = sayRefused(view, message.id, { call: parts.call, refusal });
  await storeRow(view, said, parts);
  return said;
}

/** The row of a call whose result, or a file of it, the store did not take. */
export function sayRefused(
  view: ThreadView,
  id: string,
  { call, refusal }: { readonly call: HookToolCall; readonly refusal: unknown },
): StoredMessage {
  const code = findRunCode(refusal) ?? 'unexpected';
  const { core } = view;
  warn(
    `The store did not take the result of the call ${id} of the tool "${call.function.name}" on thread ${core.id} (${code}). Its row says so.`,
    { type: 'ToolResultWarning', code: 'TOOL_RESULT_REFUSED' },
  );
  return completeMessage(toToolRow(call, makeErrorResult(describeRefused(code))), id, view);
}

function describeRefused(code: string): string {
  return `This tool call is over, but the store did not take its result (${code}), so it cannot be read. Do not repeat the call only to see it.`;
}

/** Whether an error has nothing to do with what was to be stored. */
export function isOfThread(error: unknown): boolean {
  return leavesTurnOpen(error) || isAborted(error);
}

async function storeRow(
  view: ThreadView,
  message: StoredMessage,
  { record, values }: Pick<ResultParts, 'record' | 'values'>,
): Promise<void> {
  try {
    await storeMessage(view, message, { toolCalls: [{ ...record, status: 'done' }], values });
  } catch (error) {
    if (!(await isCallDeleted(view, record, error))) throw error;
    await storeMessage(view, message, { values });
  }
}
