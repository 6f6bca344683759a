import { type LifecycleName, lifecycleTable, type MessageCard, type RecordedRun } from '@spec/hooks';
import { nameRun } from '@spec/hooks/node';
import type { ChainRun, ConversationPage, MessageChain, MessageRow, NamedRun } from '../api.ts';
import {
  hideText,
  type MessagePlace,
  type MessageWindow,
  readMessage,
  readRunsBetween,
  readWindow,
} from './read-messages.ts';
import { nameRuns } from './read-runs.ts';
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

/** Which message, and whether the texts before and after each hook are asked for. */
export interface ChainQuestion {
  readonly thread: string;
  readonly message: string;
  readonly withValues: boolean;
}

/** A message with the runs that it had; `null` where it is not there. */
export async function readChain(source: Source, question: ChainQuestion): Promise<MessageChain | null> {
  const { thread, message: id, withValues } = question;
  const message = await readMessage(source, thread, id);
  const page = await readConversation(source, thread, { size: 2, around: id });
  const row = page?.messages.find((one) => one.id === id);
  if (message === null || row === undefined) return null;
  if (!withValues || !source.showsContent) return { message, runs: row.runs };
  return { message, runs: await Promise.all(row.runs.map((run) => addChanges(source, run))) };
}

async function addChanges({ records }: Source, run: NamedRun): Promise<ChainRun> {
  if (!run.changed) return run;
  const traced = (await records.runsAt(run.at)).find((one) => nameRun(one) === run.run);
  const values = traced?.values as { readonly before?: unknown; readonly after?: unknown } | undefined;
  if (values === undefined) return { ...run, changes: null };
  // Loaded here, so that the link does not wait for it.
  const { compareTexts } = await import('./compare-texts.ts');
  return { ...run, changes: compareTexts(values.before, values.after) };
}
