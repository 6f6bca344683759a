import type { Store } from '../store.ts';
import { messageMethods } from './memory/message-methods.ts';
import { stateMethods } from './memory/state-methods.ts';
import type { Memory } from './memory/thread.ts';
import { threadMethods } from './memory/thread-methods.ts';

/** A store that forgets everything when the process ends: for tests, examples and short jobs. Fast, and without `node:` imports. */
export function memoryStore(): Store {
  const memory: Memory = { threads: new Map(), runs: [], lastFence: 0, closed: false };
  return {
    ...threadMethods(memory),
    ...messageMethods(memory),
    ...stateMethods(memory),
    async close() {
      memory.closed = true;
      memory.threads.clear();
      memory.runs = [];
    },
  };
}
