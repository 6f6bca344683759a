import type { StoredToolResult } from '@spec/hooks';
import { areTexts, isStoredMessage, readKept } from '../stores/kept-value.ts';
import type { Append, StoredMessage } from '../stores/store.ts';
import { holdsText } from '../thread/contexts.ts';
import type { ThreadView } from '../thread/core.ts';
import { despiteAbort } from '../thread/despite-abort.ts';
import {
  contextsToKeep,
  hasContexts,
  type PreparedContexts,
  prepareContexts,
  storeContexts,
} from '../writes/contexts.ts';
import { storedAt } from '../writes/messages.ts';

/** What hooks had for the conversation while a batch ran: its message is kept with the results until it is stored. */
export interface BatchContexts {
  /** The place of that message in the step. */
  readonly name: string;
  /** Under which it is kept with the thread. */
  readonly key: string;
  readonly texts: string[];
  /** The texts kept so far. */
  prepared?: PreparedContexts;
  /** What a process that died had kept: texts as hooks left them. */
  readonly found?: string;
}

/** The texts of a batch, with what was kept when the turn's process died. */
export function findBatchContexts(view: ThreadView, name: string): BatchContexts | Promise<BatchContexts> {
  const { flow } = view;
  const key = `runtime/contexts/${flow.idOf(name)}`;
  return flow.isRepeating ? readBatchContexts(view, { name, key }) : { name, key, texts: [] };
}

async function readBatchContexts(
  { core }: ThreadView,
  { name, key }: Pick<BatchContexts, 'name' | 'key'>,
): Promise<BatchContexts> {
  const kept = await readKept(core.store, { threadId: core.id, key }, areKeptContexts);
  if (Array.isArray(kept)) return { name, key, texts: kept }; // As the release before kept it.
  const content = kept?.content ?? null;
  if (kept === undefined || content === null) return { name, key, texts: [] };
  return { name, key, texts: [content], prepared: { content, message: kept }, found: content };
}

function areKeptContexts(value: unknown): value is StoredMessage | string[] {
  return areTexts(value) || isStoredMessage(value);
}

/** Adds texts to the batch's message. Gives the values that keep it. */
export async function addContexts(
  view: ThreadView,
  contexts: BatchContexts,
  texts: readonly string[],
): Promise<NonNullable<Append['values']>> {
  if (texts.length === 0) return [];
  const { name, key } = contexts;
  const prepared = await despiteAbort(view, async (live) => {
    const added = await withoutFound(live, contexts, texts);
    contexts.texts.push(...added);
    return prepareContexts(live, name, contexts.texts);
  });
  if (prepared === undefined) return [];
  contexts.prepared = prepared;
  return [{ key, value: prepared.message }];
}

/** Without the texts that had been kept already: those are known as hooks left them. */
async function withoutFound(
  view: ThreadView,
  { name, found }: BatchContexts,
  texts: readonly string[],
): Promise<readonly string[]> {
  if (found === undefined) return texts;
  const passed = await contextsToKeep(view, name, texts);
  return texts.filter((_, i) => !holdsText(found, passed[i] as string));
}

/** All results are stored: shows them to `after_tool_batch`, and stores what hooks have for the conversation. */
export async function concludeBatch(
  view: ThreadView,
  { name, key, texts, prepared }: BatchContexts,
  results: StoredToolResult[],
): Promise<void> {
  const finding = storedAt(view, name);
  if (finding !== undefined && (await finding) !== undefined) return;
  const along = texts.length === 0 ? undefined : { values: [{ key, value: undefined }] };
  const message = { name, prepared, contexts: texts, along };
  if (view.flow.isAborted) return storeContexts(view.afterAbort(), message);
  const { runtime, scope } = view.core;
  const reminders =
    results.length === 0 || scope.after_tool_batch === undefined
      ? []
      : await view.step(`${name}.asked`, (at) =>
          runtime.executor.run('after_tool_batch', scope, at, results),
        );
  if (texts.length + reminders.length > 0 || hasContexts(view))
    await storeContexts(view, { ...message, reminders });
}
