import { type LifecycleName, lifecycleTable, type MessageCard, type RecordedRun } from '@spec/hooks';
import type { ConversationPage, MessageRow } from '../api.ts';
import { nameRuns } from './name-runs.ts';
import {
  hideText,
  type MessagePlace,
  type MessageWindow,
  readRunsBetween,
  readWindow,
} from './read-messages.ts';
import type { Source } from './read-threads.ts';

/** A piece of a conversation, with what hooks did; `null` where the message that the place names is not there. */
export async function readConversation(
  source: Source,
  threadId: string,
  place: MessagePlace,
): Promise<ConversationPage | null> {
  const window = await readWindow(source, threadId, place);
  if (window === null) return null;
  const { older, newer } = window;
  const times = { since: older[0]?.createdAt, until: newer.at(-1)?.createdAt };
  const { runs, isAll } = await readRunsBetween(source.records, threadId, times);
  const { messages, after } = placeRuns(window, runs);
  return {
    messages: messages.map((row) => hideText(row, source)),
    after,
    hasOlder: older.length > 0,
    hasNewer: newer.length > 0,
    hasAllRuns: isAll,
  };
}

/** Puts each run to the message that it was about; those that were about none stand before the next message. */
function placeRuns(
  { older, messages, newer }: MessageWindow,
  runs: readonly RecordedRun[],
): Pick<ConversationPage, 'messages' | 'after'> {
  const all = [...older, ...messages, ...newer];
  const findMessage = messageFinder(all);
  const own = new Map<string, RecordedRun[]>(all.map(({ id }) => [id, []]));
  const loose = new Map<string, RecordedRun[]>([...own.keys(), end].map((id) => [id, []]));
  for (const run of runs) {
    const message = findMessage(run);
    const next = all.find(({ createdAt }) => createdAt >= run.at)?.id ?? end;
    (message === undefined ? loose.get(next) : own.get(message))?.push(run);
  }
  const rows = messages.map(
    (message): MessageRow => ({
      ...message,
      before: nameRuns(loose.get(message.id) ?? []),
      runs: nameRuns(own.get(message.id) ?? []),
    }),
  );
  return { messages: rows, after: newer.length > 0 ? [] : nameRuns(loose.get(end) ?? []) };
}

/** After all messages; ids are no empty texts. */
const end = '';

/** Finds the message that a run belongs to: of a call, the message that made it while it was decided on, else its result. */
function messageFinder(messages: readonly MessageCard[]): (run: RecordedRun) => string | undefined {
  const ids = new Set(messages.map(({ id }) => id));
  const makers = new Map<string, string>();
  const results = new Map<string, string>();
  for (const { id, toolCalls, toolCallId } of messages) {
    if (toolCallId !== null) results.set(toolCallId, id);
    for (const [, call = ''] of toolCalls?.matchAll(/"id":"((?:[^"\\]|\\.)*)"/g) ?? [])
      if (!makers.has(call)) makers.set(call, id);
  }
  return ({ about, hook }) => {
    if (about?.message !== undefined) return ids.has(about.message) ? about.message : undefined;
    if (about?.call === undefined) return undefined;
    const [first, second] = isDecision(hook) ? [makers, results] : [results, makers];
    return first.get(about.call) ?? second.get(about.call);
  };
}

function isDecision(hook: string): boolean {
  return lifecycleTable[hook as LifecycleName]?.kind === 'decide';
}
