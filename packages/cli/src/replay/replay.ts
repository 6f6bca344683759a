import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyHook } from '@spec/hooks';
import type { RunValues, Store } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { textChanges } from './changes.ts';
import type { Conversation } from './conversation.ts';
import { startProgress } from './progress.ts';
import { type Input, openInput } from './read.ts';
import { type Replayed, replayConversation } from './replay-conversation.ts';
import { ReplayTally } from './report.ts';
import type { ConversationChanges, HookChange } from './show-changes.ts';

export interface ReplayRequest {
  /** A file, or `-` for standard input. */
  readonly file: string;
  readonly db: string | undefined;
  readonly hooks: readonly AnyHook[];
  readonly showProgress: boolean;
  /** Aborted when the user interrupts: the conversation under way is finished, the next is not begun. */
  readonly signal: AbortSignal;
  /** Called with what hooks changed in a conversation, once it is replayed. Absent: nobody compares. */
  readonly onChanges?: ((found: ConversationChanges) => void) | undefined;
}

export interface ReplayOutcome {
  readonly tally: ReplayTally;
  readonly input: string;
  readonly db: string;
}

/** Replays every conversation of an input into a database. What is malformed is noted, and the others go on. */
export async function replay(request: ReplayRequest): Promise<ReplayOutcome> {
  const input = await openInput(request.file);
  const db = request.db ?? join(await mkdtemp(join(tmpdir(), 'spec-hooks-')), 'replay.db');
  const store = sqliteStore({ path: db });
  const progress = startProgress(input, request.showProgress);
  const tally = new ReplayTally();
  try {
    await replayEntries(input, {
      store,
      tally,
      request,
      onEntry: () => progress.update(tally.conversations),
    });
  } finally {
    progress.stop();
    await store.close();
  }
  return { tally, input: input.name, db };
}

interface Replaying {
  readonly store: Store;
  readonly tally: ReplayTally;
  readonly request: ReplayRequest;
  readonly onEntry: () => void;
}

async function replayEntries(input: Input, { store, tally, request, onEntry }: Replaying): Promise<void> {
  const { signal } = request;
  signal.addEventListener('abort', () => input.close(), { once: true });
  for await (const entry of input.entries()) {
    if (signal.aborted) break;
    if ('problem' in entry) tally.problems.push({ place: entry.place, reason: entry.problem });
    else tally.add(entry.place, await replayOne(entry, { store, request }));
    onEntry();
  }
  tally.interrupted = signal.aborted;
}

async function replayOne(
  { place, conversation }: { readonly place: string; readonly conversation: Conversation },
  { store, request: { hooks, onChanges } }: Pick<Replaying, 'store' | 'request'>,
): Promise<Replayed> {
  if (onChanges === undefined) return replayConversation(conversation, { store, hooks });
  const found: HookChange[] = [];
  const onRunValues = ({ hook, id, before, after }: RunValues): void => {
    const changes = textChanges(before, after);
    if (changes.length > 0) found.push({ hook, id, changes });
  };
  const replayed = await replayConversation(conversation, { store, hooks, onRunValues });
  for (const { hook, id, outcome } of replayed.runs)
    if (outcome === 'denied' || outcome === 'asked') found.push({ hook, id, outcome, changes: [] });
  if (found.length > 0) onChanges({ place, conversation: conversation.id, changes: found });
  return replayed;
}
