import type { Store } from '../store.ts';
import { ledgerMethods } from './memory/ledger-methods.ts';
import { messageMethods } from './memory/message-methods.ts';
import { stateMethods } from './memory/state-methods.ts';
import { type Memory, open } from './memory/thread.ts';
import { threadMethods } from './memory/thread-methods.ts';
import { nothingToBackUp } from './refusals.ts';

/** A store that forgets everything when the process ends: for tests, examples and short jobs. Fast, and without `node:` imports. */
export function memoryStore(): Store {
  const memory: Memory = { threads: new Map(), runs: [], lastFence: 0, closed: false };
  return {
    ...threadMethods(memory),
    ...messageMethods(memory),
    ...stateMethods(memory),
    ...ledgerMethods(memory),
    async backup() {
      open(memory);
      throw nothingToBackUp();
    },
    async close() {
      memory.closed = true;
      memory.threads.clear();
      memory.runs = [];
    },
  };
}
