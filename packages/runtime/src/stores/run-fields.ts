import type { LedgerEntry } from './store.ts';

/** How many fields every entry has. */
const ownFields = 12;

/** What an entry of the ledger has besides the fields of its type, such as traced values; `null` where that is nothing. */
export function pickOtherFields(run: LedgerEntry): Record<string, unknown> | null {
  const known = ownFields + (run.code === undefined ? 0 : 1) + (run.why === undefined ? 0 : 1);
  if (Object.keys(run).length <= known) return null;
  const { threadId, turnId, step, at, hook, id, source, outcome, ...rest } = run;
  const { changed, ms, sizeBefore, sizeAfter, code, why, ...others } = rest;
  return others;
}
