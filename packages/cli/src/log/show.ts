import { DefinitionError } from '@spec/hooks';
import { pc } from '../colours.ts';
import { exitCodes } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { outcomeText } from '../run/to-text.ts';
import { type StoreFlags, withStore } from '../store/open-store.ts';
import { formatMs } from '../table.ts';
import { type LogEntry, makeLogEntry, momentIn, nameEntry } from './entry.ts';
import { openLedger } from './run.ts';

/** The options of `spec-hooks log show`, as they were typed. */
export interface ShowFlags extends StoreFlags {
  readonly values?: boolean;
}

/** Shows one run. Gives the exit code. */
export async function showRun(name: string, flags: ShowFlags): Promise<number> {
  const at = momentIn(name);
  if (at === undefined) {
    const message = `There is no run "${name}". The first column of spec-hooks log has their names.`;
    throw new DefinitionError('bad_option', message);
  }
  const [found] = await withStore(flags, async ({ store }) => {
    const runs = await openLedger(store).runs({ since: at, until: at + 1 });
    return runs.filter((run) => nameEntry(run) === name);
  });
  if (found === undefined) throw new DefinitionError('bad_option', `There is no run ${name} in the ledger.`);
  const entry = makeLogEntry(found);
  const values = flags.values ? { values: found.values ?? null } : {};
  process.stdout.write(
    `${flags.json ? JSON.stringify({ ...entry, ...values }, undefined, 2) : describeEntry(entry, values)}\n`,
  );
  return exitCodes.fine;
}

function describeEntry(entry: LogEntry, { values }: { readonly values?: object | null }): string {
  const {
    run,
    at,
    threadId,
    turnId,
    step,
    hook,
    id,
    source,
    outcome,
    changed,
    ms,
    sizeBefore,
    sizeAfter,
    code,
    why,
  } = entry;
  const size = changed ? `${sizeBefore} → ${sizeAfter}` : String(sizeBefore);
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['run', run],
    ['at', at],
    ['thread', printable(threadId)],
    ['turn', turnId === null ? 'none' : printable(`${turnId}, step ${step}`)],
    ['hook', hook],
    ['id', pc.bold(printable(id))],
    ['source', printable(source)],
    ['outcome', outcomeText(outcome)],
    ['code', code],
    ['why', why && printable(why)],
    ['time', formatMs(ms)],
    ['size', size],
  ];
  const lines = fields.flatMap(([name, text]) =>
    text === undefined ? [] : [`${pc.cyan(name.padEnd(8))} ${text}`],
  );
  if (values === undefined) return lines.join('\n');
  const data =
    values === null
      ? 'none: the runtime did not trace values'
      : printable(JSON.stringify(values, undefined, 2));
  return [...lines, `${pc.cyan('values'.padEnd(8))} ${data}`].join('\n');
}
