import type { Store } from '../stores/store.ts';

/** One requirement on a store. */
export interface StoreCase {
  name: string;
  /**
   * Gets a store that is open and empty, and throws where the requirement is not met.
   * @param patience how many times longer than in memory a lease is that has to run out or to outlast something
   */
  run(store: Store, reopen: Reopen, patience: number): Promise<void>;
  /** True for what only a store that outlives its process must do. */
  needsReopen?: true;
}

/** Closes a store and opens another on the same data. */
export type Reopen = (store: Store) => Promise<Store>;
