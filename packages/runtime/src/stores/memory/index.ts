// Memory: the store that lasts as long as its process. The runtime takes it where it is given no other; it never touches a disk.

import { nothingToBackUp } from '../refusals.ts';
import type { Store } from '../store.ts';
import { ledgerMethods } from './ledger-methods.ts';
import { messageMethods } from './message-methods.ts';
import { stateMethods } from './state-methods.ts';
import { type Memory, open } from './thread.ts';
import { threadMethods } from './thread-methods.ts';

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
