import { createRuntime, type Ledger, type Store } from '@spec/runtime';
import { pc } from '../colours.ts';
import { exitCodes } from '../exit-codes.ts';
import { withStore } from '../store/open-store.ts';
import { wrongUsage } from '../wrong-usage.ts';
import { makeLogEntry } from './entry.ts';
import { type LogFilters, makeLedgerQuery } from './filters.ts';
import { logTable } from './to-text.ts';

/** More runs than this are only shown where somebody asks for them. */
const SHOWN = 50;

/** Lists runs. Gives the exit code. */
export async function showLog(flags: LogFilters): Promise<number> {
  const query = await makeLedgerQuery(flags);
  if (typeof query === 'string') return wrongUsage(query);
  const limit = query.limit ?? SHOWN;
  const found = await withStore(flags, ({ store }) => openLedger(store).runs({ ...query, limit: limit + 1 }));
  const runs = found.slice(-limit).map(makeLogEntry);
  if (flags.json) process.stdout.write(`${JSON.stringify({ runs }, undefined, 2)}\n`);
  else if (runs.length === 0) process.stdout.write('No run matches.\n');
  else process.stdout.write(`${logTable(runs)}\n${found.length > limit ? pc.dim(olderText(limit)) : ''}`);
  return exitCodes.fine;
}

function olderText(limit: number): string {
  return `These are the newest ${limit}; --limit shows more.\n`;
}

/** The ledger of a store that nothing runs in. */
export function openLedger(store: Store): Ledger {
  return createRuntime({ agents: [], prompts: [], models: {}, store }).ledger;
}
