import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyHook } from '@spec/hooks';
import type { Store } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { startProgress } from './progress.ts';
import { type Input, openInput } from './read.ts';
import { replayConversation } from './replay-conversation.ts';
import { ReplayTally } from './report.ts';

export interface ReplayRequest {
  /** A file, or `-` for standard input. */
  readonly file: string;
  readonly db: string | undefined;
  readonly hooks: readonly AnyHook[];
  readonly showProgress: boolean;
  /** Aborted when the user interrupts: the conversation under way is finished, the next is not begun. */
  readonly signal: AbortSignal;
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
  const { signal, hooks } = request;
  signal.addEventListener('abort', () => input.close(), { once: true });
  for await (const entry of input.entries()) {
    if (signal.aborted) break;
    if ('problem' in entry) tally.problems.push({ place: entry.place, reason: entry.problem });
    else tally.add(entry.place, await replayConversation(entry.conversation, { store, hooks }));
    onEntry();
  }
  tally.interrupted = signal.aborted;
}
