import type { ThreadState } from '@spec/hooks';
import type { PastUse, ToolUse } from './tool-use.ts';

/** The key of the thread's value with the texts told once. */
const KEY = 'triggers/told';

/** The most keys that a thread keeps, for itself and for its turn. The oldest go first. */
const MAX_KEYS = 1_000;
/** The most tool calls of a turn that are remembered. The oldest go first. */
const MAX_USES = 10_000;

/** The texts told once, kept with the thread so that a turn does not repeat them after a crash. */
interface Told {
  readonly thread?: readonly string[];
  readonly turn?: { readonly id: string; readonly keys: readonly string[] };
}

/** What triggers remember of a thread: the calls of its turn in memory, and the texts told once in the thread's values. */
export class ThreadMemory {
  #flowId: string | undefined;
  #uses: PastUse[] = [];

  /** When another turn begins, the calls of the last one are forgotten. */
  enter({ execution: { flowId } }: ThreadState): void {
    if (flowId === this.#flowId) return;
    this.#flowId = flowId;
    this.#uses = [];
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

  /** Whether a key is new in the turn or the thread. */
  async isNew(state: ThreadState, { key, once }: { key: string; once: 'turn' | 'thread' }): Promise<boolean> {
    return !findKeys(await toldIn(state), once, state).includes(key);
  }

  /** Remembers that a key was told. */
  async remember(state: ThreadState, { key, once }: { key: string; once: 'turn' | 'thread' }): Promise<void> {
    const known = await toldIn(state);
    const keys = [...findKeys(known, once, state), key].slice(-MAX_KEYS);
    const next = once === 'thread' ? { thread: keys } : { turn: { id: state.execution.flowId, keys } };
    await state.setValue(KEY, { ...known, ...next });
  }
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
