// Derived stores: the part that all stores share, written once over drivers; `@spec/runtime/store-kit`. It knows no kind of store.

import type { StoreDriver } from '../driver.ts';
import { nothingToBackUp } from '../refusals.ts';
import type { Store } from '../store.ts';
import { headMethods } from './heads.ts';
import { leaseMethods } from './leases.ts';
import { ledgerMethods } from './ledger.ts';
import { messageMethods } from './messages.ts';
import { opened } from './opened.ts';
import { stateMethods } from './state.ts';
import { threadMethods } from './threads.ts';

export type * from '../driver.ts';
export type { KeyRange } from '../key-windows.ts';
export { cutRange, findEnd, takeFirst } from '../key-windows.ts';
export { matchesFilter } from '../ledger-filter.ts';
export { findInMessage, makeThreadCard, withoutValues } from '../record-cards.ts';
export type { ColumnPlace, OnUnreadable } from '../rows/damaged.ts';
export { damaged, readableOnes, readColumn, recordIn, warnOnce } from '../rows/damaged.ts';
export type { MessageRow, MessageRows, TextCodec } from '../rows/message-row.ts';
export { messageRows } from '../rows/message-row.ts';
export type { RunForSums } from '../rows/packed-runs.ts';
export { BEGINS_WITH_MARKS, listForms, unpackForSums } from '../rows/packed-runs.ts';
export type { CutRow, Dropped, PackedRow, RunRow, StoredRunRow } from '../rows/run-row.ts';
export { decodeMarks, decodeRuns, droppedFrom, encodeRuns, withoutRunsBefore } from '../rows/run-row.ts';
export type { CountedRun } from '../run-sums.ts';
export { RunSeries, RunSums } from '../run-sums.ts';
export { keepMarks, keepRuns, pickCalls, pickMarks, pickMessages, pickRuns, pickThreads } from './lists.ts';
export type { KnownThread, LeasedThread, Settled } from './settle.ts';
export { checkRemoval, keepLastStates, settle } from './settle.ts';

/** Makes a store from a driver. */
export function createStore(driver: StoreDriver): Store {
  const inUse = opened(driver);
  return {
    ...threadMethods(inUse),
    ...headMethods(inUse),
    ...messageMethods(inUse),
    ...stateMethods(inUse),
    ...leaseMethods(inUse),
    ...ledgerMethods(inUse),
    async backup(path) {
      const driver = inUse.use();
      if (!driver.backup) throw nothingToBackUp();
      await driver.backup(path);
    },
    close: inUse.close,
  };
}
