import type { Store } from '../stores/store.ts';

/** One requirement on a store. */
export interface StoreCase {
  name: string;
  /** Gets a store that is open and empty, and throws where the requirement is not met. */
  run(store: Store, reopen: Reopen): Promise<void>;
  /** True for what only a store that outlives its process must do. */
  needsReopen?: true;
}

/** Closes a store and opens another on the same data. */
export type Reopen = (store: Store) => Promise<Store>;
