import { setTimeout as wait } from 'node:timers/promises';
import type { HookSums, Records } from '@spec/hooks';

/** The sums of all hooks, which take as long to make as the ledger is long. */
export interface SumCache {
  /** The newest that there are; those of a moment ago while newer ones are made; `null` while the first ones are. */
  read(): Promise<readonly HookSums[] | null>;
}

/** How long an answer waits for sums before it is given without them, in milliseconds. */
const patienceMs = 1_500;

/** Makes them once for what is stored, however many pages ask. */
export function cacheSums(records: Records): SumCache {
  let known: { readonly version: number; readonly sums: readonly HookSums[] } | undefined;
  let making: Promise<void> | undefined;
  const make = async (version: number): Promise<void> => {
    known = { version, sums: await records.stats() };
  };
  return {
    async read() {
      const version = await records.version();
      if (known?.version !== version) {
        making ??= make(version).finally(() => {
          making = undefined;
        });
        await Promise.race([making, wait(patienceMs, undefined, { ref: false })]);
      }
      return known?.sums ?? null;
    },
  };
}
