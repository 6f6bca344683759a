import type { ThreadState } from '@spec/hooks';
import type { ToolUse } from './tool-use.ts';

/** The key of the thread's value that keeps what was told once. */
const KEY = 'triggers/told';

/** How many keys a thread keeps; the oldest go first. */
const MAX_KEYS = 1_000;

/** What triggers remember of a thread: of its turn here, and what is told once a thread in the thread's own values. */
export class ThreadMemory {
  #flowId: string | undefined;
  #uses: ToolUse[] = [];
  #keys = new Set<string>();

  /** Where another turn has begun, what was known of the one before is forgotten. */
  enter({ execution: { flowId } }: ThreadState): void {
    if (flowId === this.#flowId) return;
    this.#flowId = flowId;
    this.#uses = [];
    this.#keys = new Set();
  }

  /** All tool calls of the turn. */
  get uses(): readonly ToolUse[] {
    return this.#uses;
  }

  note(uses: readonly ToolUse[]): void {
    this.#uses.push(...uses);
  }

  firstInTurn(key: string): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    return true;
  }

  async firstInThread(state: ThreadState, key: string): Promise<boolean> {
    const stored = await state.getValue(KEY);
    const told = Array.isArray(stored) ? (stored as string[]) : [];
    if (told.includes(key)) return false;
    await state.setValue(KEY, [...told, key].slice(-MAX_KEYS));
    return true;
  }
}
