import { DefinitionError } from '@spec/hooks';
import { momentIn, nameRun } from '@spec/hooks/node';
import { pc } from '../colours.ts';
import { exitCodes } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { outcomeText } from '../run/to-text.ts';
import { type StoreFlags, withRecords } from '../store/open-store.ts';
import { formatMs } from '../table.ts';
import { type LogEntry, makeLogEntry } from './entry.ts';

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
  const runs = await withRecords(flags, (records) => records.runsAt(at));
  const found = runs.find((run) => nameRun(run) === name);
  if (found === undefined) throw new DefinitionError('bad_option', `There is no run ${name} in the ledger.`);
  const { values: traced, ...run } = found;
  const entry = makeLogEntry(run);
  const values = flags.values ? { values: (traced as object | undefined) ?? null } : {};
  process.stdout.write(
    `${flags.json ? JSON.stringify({ ...entry, ...values }, undefined, 2) : describeEntry(entry, values)}\n`,
  );
  return exitCodes.fine;
}

function describeSubject({ message, call }: NonNullable<LogEntry['about']>): string {
  return message === undefined ? `call ${call}` : `message ${message}`;
}

/** The fields of a run, in the order in which they are shown. */
function listFields(entry: LogEntry): readonly (readonly [name: string, text: string | undefined])[] {
  const { turnId, about, changed, sizeBefore, sizeAfter, why } = entry;
  return [
    ['run', entry.run],
    ['at', entry.at],
    ['thread', printable(entry.threadId)],
    ['turn', turnId === null ? 'none' : printable(`${turnId}, step ${entry.step}`)],
    ['hook', entry.hook],
    ['id', pc.bold(printable(entry.id))],
    ['source', printable(entry.source)],
    ['about', about && printable(describeSubject(about))],
    ['outcome', outcomeText(entry.outcome)],
    ['code', entry.code],
    ['why', why && printable(why)],
    ['time', formatMs(entry.ms)],
    ['size', changed ? `${sizeBefore} → ${sizeAfter}` : String(sizeBefore)],
  ];
}

function describeEntry(entry: LogEntry, { values }: { readonly values?: object | null }): string {
  const lines = listFields(entry).flatMap(([name, text]) =>
    text === undefined ? [] : [`${pc.cyan(name.padEnd(8))} ${text}`],
  );
  if (values === undefined) return lines.join('\n');
  const data =
    values === null
      ? 'none: the runtime did not trace values'
      : printable(JSON.stringify(values, undefined, 2));
  return [...lines, `${pc.cyan('values'.padEnd(8))} ${data}`].join('\n');
}
