import type { RecordedRun } from '@spec/hooks';
import { nameRun } from '@spec/hooks/node';

/** A run as it is shown: without data, and with a name to ask for it. */
export interface LogEntry extends Omit<RecordedRun, 'at'> {
  /** What `log show` takes. */
  readonly run: string;
  /** ISO 8601, with microseconds. */
  readonly at: string;
}

export function makeLogEntry({ at, ...entry }: RecordedRun): LogEntry {
  return { run: nameRun({ ...entry, at }), ...entry, at: writeTime(at) };
}

function writeTime(micros: number): string {
  const below = String(Math.floor(micros) % 1_000).padStart(3, '0');
  return new Date(Math.floor(micros / 1_000)).toISOString().replace('Z', `${below}Z`);
}
