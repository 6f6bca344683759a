import type { AnyHook } from '@spec/hooks';
import { withProgress } from '../progress.ts';
import { openReplayStores, type ReplayStores } from '../replay-stores.ts';
import { writeCount } from '../table.ts';
import { type Clashes, watchClashes } from './clashes.ts';
import type { Conversation } from './formats/conversation.ts';
import { KNOWN_SHAPES } from './formats/shapes.ts';
import type { InputPosition } from './place.ts';
import { type Input, openInputs } from './read.ts';
import { type Replayed, replayConversation } from './replay-conversation.ts';
import type { ConversationChanges } from './show-changes.ts';
import { ReplayTally } from './tally.ts';
import { watchRuns } from './watch-runs.ts';

export interface ReplayRequest {
  /** Files, or `-` for standard input. */
  readonly files: readonly string[];
  readonly db: string | undefined;
  /** Without `db`: keep what is stored, in a new temporary file. */
  readonly keep: boolean;
  readonly hooks: readonly AnyHook[];
  readonly showProgress: boolean;
  /** Aborted when the user interrupts: the conversation under way is finished, the next is not begun. */
  readonly signal: AbortSignal;
  /** Called with what hooks changed in a conversation, once it is replayed. Absent: nobody compares. */
  readonly onChanges?: ((found: ConversationChanges) => void) | undefined;
}

export interface ReplayOutcome {
  readonly tally: ReplayTally;
  /** The names of all inputs. */
  readonly input: string;
  /** The file that was stored in; `null`: what was stored is gone. */
  readonly db: string | null;
}

/** Replays every conversation of all inputs into one database. What is malformed is noted, and the others go on. */
export async function replay(request: ReplayRequest): Promise<ReplayOutcome> {
  const inputs = await openInputs(request.files);
  const names = inputs.map(({ name }) => name);
  const stores = await openReplayStores(request, 'replay.db');
  const tally = new ReplayTally(names);
  const work = {
    label: `Replaying ${names.join(', ')}`,
    total: sumSizes(inputs),
    isWanted: request.showProgress,
  };
  try {
    await withProgress(work, async ({ update }) => {
      const onEntry = (): void => update(bytesRead(inputs), writeCount(tally.conversations, 'conversation'));
      await replayInputs(inputs, { stores, tally, request, onEntry, clashes: watchClashes() });
    });
  } finally {
    await stores.close();
  }
  return { tally, input: names.join(', '), db: stores.db };
}

/** Bytes; `undefined` where that of one is not known. */
function sumSizes(inputs: readonly Input[]): number | undefined {
  return inputs.reduce<number | undefined>(
    (sum, { size }) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
}

/** A last line without its end counts as one that has it. */
function bytesRead(inputs: readonly Input[]): number {
  return inputs.reduce((sum, input) => sum + Math.min(input.bytesRead(), input.size ?? 0), 0);
}

interface Replaying {
  readonly stores: ReplayStores;
  readonly tally: ReplayTally;
  readonly request: ReplayRequest;
  readonly onEntry: () => void;
  readonly clashes: Clashes;
}

async function replayInputs(inputs: readonly Input[], replaying: Replaying): Promise<void> {
  const { tally, request } = replaying;
  const { signal } = request;
  for (const input of inputs) {
    if (signal.aborted) break;
    const close = (): void => input.close();
    signal.addEventListener('abort', close, { once: true });
    tally.nextFile();
    await replayEntries(input, replaying);
    signal.removeEventListener('abort', close);
  }
  tally.interrupted = signal.aborted;
}

async function replayEntries(input: Input, replaying: Replaying): Promise<void> {
  const { tally, request, onEntry } = replaying;
  let isEmpty = true;
  for await (const entry of input.entries()) {
    if (request.signal.aborted) return;
    isEmpty = false;
    if ('problem' in entry) tally.note({ place: entry.place, reason: entry.problem });
    else tally.add(entry.place, await replayOne(entry, replaying));
    onEntry();
  }
  const reason = `there is no conversation in it; known shapes are ${KNOWN_SHAPES}`;
  if (isEmpty && tally.isOfSeveral && !request.signal.aborted) tally.note({ place: 'all of it', reason });
}

async function replayOne(
  { place, conversation }: { readonly place: string; readonly conversation: Conversation },
  replaying: Replaying,
): Promise<Replayed> {
  const { tally, clashes } = replaying;
  const answer = clashes.answerTo(conversation);
  if (answer !== undefined) return answer;
  const at = tally.locate(place);
  const replayed = await replayAndCompare(conversation, at, replaying);
  clashes.note(conversation, at, replayed);
  return replayed;
}

/** Replays a conversation, and tells what hooks changed in it where somebody compares. */
async function replayAndCompare(
  conversation: Conversation,
  at: InputPosition,
  { stores, request: { hooks, onChanges } }: Replaying,
): Promise<Replayed> {
  const store = stores.open();
  if (onChanges === undefined) return replayConversation(conversation, { store, hooks });
  const watch = watchRuns();
  const replayed = await replayConversation(conversation, { store, hooks, onRunValues: watch.note });
  const found = watch.finish();
  if (found.length > 0) onChanges({ ...at, conversation: conversation.id, changes: found });
  return replayed;
}
