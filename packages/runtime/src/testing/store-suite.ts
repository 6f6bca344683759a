import type { Store } from '../stores/store.ts';
import type { StoreCase } from './store-suite-case.ts';
import { changeCases } from './store-suite-changes.ts';
import { closingCases } from './store-suite-closing.ts';
import { copyCases } from './store-suite-copies.ts';
import { headCases } from './store-suite-heads.ts';
import { idCases } from './store-suite-ids.ts';
import { inboxCases } from './store-suite-inbox.ts';
import { leaseCases } from './store-suite-leases.ts';
import { ledgerCases } from './store-suite-ledger.ts';
import { markCases } from './store-suite-marks.ts';
import { messageCases } from './store-suite-messages.ts';
import { threadCases } from './store-suite-threads.ts';
import { windowCases } from './store-suite-windows.ts';

export type { StoreCase } from './store-suite-case.ts';

/** Every requirement on a store, each to be run on a store of its own. */
export const storeCases: readonly StoreCase[] = [
  ...threadCases,
  ...messageCases,
  ...idCases,
  ...windowCases,
  ...changeCases,
  ...inboxCases,
  ...copyCases,
  ...leaseCases,
  ...headCases,
  ...ledgerCases,
  ...markCases,
  ...closingCases,
];

/** Options of {@link storeSuite}. */
export interface StoreSuiteOptions {
  /** The `test` of a test runner: vitest's, node:test's, or another that takes a name and a function that may reject. */
  test: (name: string, run: () => Promise<void>) => unknown;
  /** Opens a new, empty store; called once for each test, which closes it. */
  open: () => Store | Promise<Store>;
  /** For stores that outlive their process: opens a closed store's data again. Without it those tests are left out. */
  reopen?: (closed: Store) => Store | Promise<Store>;
  /** Stands before the name of each test; default `store`. */
  name?: string;
  /** How many times longer than for a store in memory a short lease is, for stores across a network and for busy machines; default 1. */
  patience?: number;
}

/**
 * Registers one test for each requirement on a store: a driver's whole test file.
 * A test fails with an error that says what was expected and what came.
 */
export function storeSuite({ test, open, reopen, name = 'store', patience }: StoreSuiteOptions): void {
  for (const one of storeCases) {
    if (one.needsReopen && !reopen) continue;
    test(`${name}: ${one.name}`, () => runCase(one, { open, reopen, patience }));
  }
}

interface CaseSetup extends Pick<StoreSuiteOptions, 'open'> {
  readonly reopen?: StoreSuiteOptions['reopen'] | undefined;
  readonly patience?: number | undefined;
}

/** Runs one requirement on a new store; rejects where it is not met. */
export async function runCase({ run }: StoreCase, { open, reopen, patience = 1 }: CaseSetup): Promise<void> {
  const store = await open();
  const openAgain = async (old: Store): Promise<Store> => {
    await old.close();
    if (!reopen) throw new Error('this store cannot be opened again');
    return reopen(old);
  };
  try {
    await run(store, openAgain, patience);
  } finally {
    await store.close();
  }
}
