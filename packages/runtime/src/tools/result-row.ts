import { type HookToolCall, type HookToolResult, RunError } from '@spec/hooks';
import { makeErrorResult } from '@spec/hooks/host';
import { toToolRow } from '../history/exchanges.ts';
import type { StoredFile, StoredMessage } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { despiteAbort } from '../thread/despite-abort.ts';
import { storeFile } from '../writes/files.ts';
import { completeMessage, passCreateChain } from '../writes/messages.ts';
import { attachFiles } from './attachments.ts';
import { isOfThread, sayRefused } from './stored-result.ts';

/** A call as it was made in the end (a hook may have rewritten its arguments), with its answer. */
export interface AnsweredCall {
  readonly call: HookToolCall;
  readonly result: HookToolResult;
  /** Whether a hook or a person refused it. */
  readonly isDenied?: true;
  readonly isRefusedByPerson?: true | undefined;
  /** What hooks have for the conversation. */
  readonly contexts?: readonly string[];
}

/** Makes the row of a result and stores its files. If an abort comes in between, its chains run again and the row is still stored. */
export async function prepareResultRow(view: ThreadView, answered: AnsweredCall): Promise<StoredMessage> {
  const { message, files } = await despiteAbort(view, (live) => makeResultRow(live, answered));
  try {
    for (const file of files) await storeFile(view, file);
    return message;
  } catch (error) {
    if (isOfThread(error)) throw error;
    return sayRefused(view, message.id, { call: answered.call, refusal: error });
  }
}

/** A result as it will be stored, and the files that go with it. */
interface ResultRow {
  readonly message: StoredMessage;
  readonly files: readonly StoredFile[];
}

/**
 * Sends a result through the chains that stand before its row. Where the create chain does not let it be stored, the row says so: a
 * tool has run, and its call must have an answer.
 */
async function makeResultRow(
  view: ThreadView,
  { call, result, isRefusedByPerson }: AnsweredCall,
): Promise<ResultRow> {
  const { core } = view;
  const id = view.place?.id ?? call.id;
  const { executor } = core.runtime;
  const row = await executor.run('before_store_tool_result', core.scope, view, { ...call }, { ...result });
  const attaching = attachFiles(core, id, row as unknown as typeof result);
  const { result: attached, files } = attaching instanceof Promise ? await attaching : attaching;
  const draft = toToolRow(call, attached);
  if (isRefusedByPerson) draft.refused_by = 'person';
  try {
    const message = await passCreateChain(view, draft, id);
    return { message, files: selectFiles(message, files) };
  } catch (error) {
    const message = completeMessage(toToolRow(call, makeErrorResult(withheldBy(error))), id, view);
    return { message, files: [] };
  }
}

/** Those that a hook has not dropped. */
function selectFiles({ attachments }: StoredMessage, files: readonly StoredFile[]): StoredFile[] {
  const kept = new Set((attachments as Array<{ path?: string }> | null | undefined)?.map(({ path }) => path));
  return files.filter(({ path }) => kept.has(path));
}

/** Whether an error comes from what a hook did or returned, and not from the store or the thread's end. */
const ofHooks: ReadonlySet<string> = new Set([
  ...['hook_failed', 'hook_timed_out', 'depth_exceeded', 'regex_timeout', 'value_lost', 'wrong_key'],
  ...['invalid_input', 'invalid_result', 'invalid_message'],
]);

/** @throws any other error */
function withheldBy(error: unknown): string {
  if (!(error instanceof RunError) || !ofHooks.has(error.code)) throw error;
  const by = error.id === undefined ? 'a hook' : `the hook "${error.id}"`;
  return `The result of this tool call was withheld, because ${by} (before_create_message) did not let it be stored.`;
}

/** Announces a stored result to listeners. */
export function emitToolResult({ core }: ThreadView, call: HookToolCall, row: StoredMessage): void {
  if (!core.events.hasListeners) return;
  const { id: messageId, content } = row;
  const about = { toolCallId: call.id, name: call.function.name, messageId };
  const status = row.status === 'error' ? 'error' : 'success';
  const refused = row.refused_by === 'person' ? ({ isRefused: true } as const) : {};
  core.events.emit({ type: 'tool_result', ...about, status, content: content ?? '', ...refused });
}
