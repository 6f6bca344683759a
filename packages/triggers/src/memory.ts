import type { HookMessage, ThreadState } from '@spec/hooks';
import { type PastUse, readPastUses, type ToolUse } from './tool-use.ts';

/** The key of the thread's value that keeps what was told. */
export const KEY = 'triggers/told';

/** The most keys that a thread keeps, for itself and for its turn. The oldest go first. */
const MAX_KEYS = 1_000;
/** The most tool calls of a turn that are remembered. The oldest go first. */
const MAX_USES = 10_000;

/** The texts told once, kept with the thread so that a turn does not repeat them after a crash. */
interface Told {
  readonly thread?: readonly string[];
  readonly turn?: { readonly id: string; readonly keys: readonly string[] };
  /** The newest message with such texts. Where it is made again, a crash came before it was stored: its texts are new. */
  readonly newest?: { readonly place: string; readonly keys: readonly string[] };
  /** The texts of sessions since the model was asked last, and the newest message before them: no message holds them until it is asked again. */
  readonly waiting?: { readonly after: string | null; readonly keys: readonly string[] };
}

/** A text that is told once: its key, and in what. */
export interface OnceKey {
  readonly key: string;
  readonly once: 'turn' | 'thread';
}

/** What makes a message the same one when a crash has it made again; `null` where its texts wait until the model is asked. */
export type MessagePlace = string | null;

/** How many of the newest messages are searched for the earlier calls of a turn that another process began. */
const MAX_MESSAGES = 1_000;

/** What triggers remember of a thread: the calls of its turn in memory, and the texts told once in the thread's values. */
export class ThreadMemory {
  #flowId: string | undefined;
  #uses: readonly PastUse[] = [];

  /** When another turn begins, the calls of the last one are forgotten. Those of a turn that began elsewhere are in its messages. */
  async enter(state: ThreadState): Promise<void> {
    const { flowId, stepCount } = state.execution;
    if (flowId === this.#flowId) return;
    this.#flowId = flowId;
    this.#uses = [];
    if (stepCount > 1)
      this.#uses = readPastUses(await state.getMessages({ last: MAX_MESSAGES }), stepCount - 1);
  }

  /** All tool calls of the turn. */
  get uses(): readonly PastUse[] {
    return this.#uses;
  }

  /** Their results are not kept: a long turn has many. */
  note(uses: readonly ToolUse[]): void {
    const past = uses.map(({ id, name, input, status }) => ({ id, name, input, status }));
    this.#uses = [...this.#uses, ...past].slice(-MAX_USES);
  }

  /** Whether the text of a key is new in the turn or the thread, for the message of a place. */
  async isNew(
    state: ThreadState,
    { key, once }: OnceKey,
    at: { place: MessagePlace; text: string },
  ): Promise<boolean> {
    const told = await toldIn(state);
    if (told.newest?.place === at.place && told.newest.keys.includes(key)) return true;
    if (!findKeys(told, once, state).includes(key)) return true;
    const { waiting } = told;
    if (at.place !== null || waiting?.keys.includes(key) !== true) return false;
    return !(await readSince(state, waiting.after)).some((message) => isTold(message, at.text));
  }

  /** Remembers which keys the message of a place tells. */
  async remember(state: ThreadState, told: readonly OnceKey[], place: MessagePlace): Promise<void> {
    const known = await toldIn(state);
    const next = (once: 'turn' | 'thread'): string[] => {
      const added = told.filter((one) => one.once === once).map(({ key }) => key);
      return [...new Set([...findKeys(known, once, state), ...added])].slice(-MAX_KEYS);
    };
    const { flowId: id } = state.execution;
    const keys = told.map(({ key }) => key);
    const thread = next('thread');
    // A session begins between turns: what a turn that was left behind has told stays.
    await state.setValue(
      KEY,
      place === null
        ? { ...known, thread, waiting: await addWaiting(state, known, keys) }
        : { ...known, thread, turn: { id, keys: next('turn') }, newest: { place, keys } },
    );
  }
}

async function addWaiting(
  state: ThreadState,
  { waiting }: Told,
  keys: readonly string[],
): Promise<Told['waiting']> {
  const isOpen = waiting !== undefined && !(await readSince(state, waiting.after)).some(isAnswer);
  if (isOpen) return { ...waiting, keys: [...new Set([...waiting.keys, ...keys])].slice(-MAX_KEYS) };
  const [newest] = await state.getMessages({ last: 1 });
  return { after: newest?.id ?? null, keys };
}

/** The messages since one; all that are looked at where it is gone. */
async function readSince(state: ThreadState, after: string | null): Promise<readonly HookMessage[]> {
  const messages = await state.getMessages({ last: MAX_MESSAGES });
  return messages.slice(messages.findLastIndex(({ id }) => id === after) + 1);
}

/** The model was asked: it got what waited. A hook may have changed the text, which is told all the same. */
function isTold(message: HookMessage, text: string): boolean {
  return isAnswer(message) || (message.role === 'user' && message.content?.includes(text) === true);
}

function isAnswer({ role }: HookMessage): boolean {
  return role === 'assistant';
}

async function toldIn(state: ThreadState): Promise<Told> {
  const stored = await state.getValue(KEY);
  return typeof stored === 'object' && stored !== null ? (stored as Told) : {};
}

function findKeys(
  { thread = [], turn }: Told,
  once: 'turn' | 'thread',
  state: ThreadState,
): readonly string[] {
  if (once === 'thread') return thread;
  return turn?.id === state.execution.flowId ? turn.keys : [];
}
