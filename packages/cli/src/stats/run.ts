import type { HookSums, Outcome } from '@spec/hooks';
import { pc } from '../colours.ts';
import { exitCodes } from '../exit-codes.ts';
import { tallyColumns } from '../hook-tally.ts';
import { type LogFilters, readFilters } from '../log/filters.ts';
import { refuseUnknownThread } from '../log/unknown-thread.ts';
import { printable } from '../printable.ts';
import { outcomeText } from '../run/to-text.ts';
import { withRecords } from '../store/open-store.ts';
import { type Column, formatCount, formatMs, renderTable } from '../table.ts';
import { wrongUsage } from '../wrong-usage.ts';

/** Counts what each hook did. Gives the exit code. */
export async function showStats(flags: LogFilters): Promise<number> {
  const asked = await readFilters(flags);
  if (typeof asked === 'string') return wrongUsage(asked);
  const hooks = await withRecords(flags, async (records, { db }) => {
    const sums = await records.stats(asked.filter);
    if (sums.length === 0) await refuseUnknownThread(records, asked.filter, db);
    return sums;
  });
  const text = hooks.length === 0 ? 'No run matches.' : renderTable(columns, hooks.map(makeRow));
  process.stdout.write(`${flags.json ? JSON.stringify({ hooks }, undefined, 2) : text}\n`);
  return exitCodes.fine;
}

const columns: readonly Column[] = [
  ...tallyColumns,
  { title: 'p50', align: 'right' },
  { title: 'p99', align: 'right' },
  { title: 'source' },
];

function makeRow({ hook, id, source, runs, changed, outcomes, p50, p99 }: HookSums): string[] {
  const counted = Object.entries(outcomes).map(
    ([outcome, count]) => `${formatCount(count)} ${outcomeText(outcome as Outcome)}`,
  );
  return [
    pc.dim(hook),
    pc.bold(printable(id)),
    formatCount(runs),
    formatCount(changed),
    counted.join(', '),
    formatMs(p50),
    formatMs(p99),
    printable(source),
  ];
}
