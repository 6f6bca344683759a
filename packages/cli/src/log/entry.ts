import { createHash } from 'node:crypto';
import type { RecordedRun } from '@spec/hooks';

/** A run as it is shown: without data, and with a name to ask for it. */
export interface LogEntry extends Omit<RecordedRun, 'at'> {
  /** What `log show` takes. */
  readonly run: string;
  /** ISO 8601, with microseconds. */
  readonly at: string;
}

export function makeLogEntry({ at, ...entry }: RecordedRun): LogEntry {
  return { run: nameEntry({ ...entry, at }), ...entry, at: writeTime(at) };
}

/** A name that is the same whenever the run is looked at: when it was, and a trace of what it was. */
export function nameEntry({ at, threadId, turnId, step, hook, id, outcome }: RecordedRun): string {
  const about = JSON.stringify([threadId, turnId, step, hook, id, outcome]);
  return `${at.toString(36)}-${createHash('sha256').update(about).digest('hex').slice(0, 4)}`;
}

/** When a run of this name was, in microseconds since the epoch. */
export function momentIn(name: string): number | undefined {
  const at = /^([0-9a-z]{1,11})-[0-9a-f]{4}$/.exec(name)?.[1];
  return at === undefined ? undefined : Number.parseInt(at, 36);
}

function writeTime(micros: number): string {
  const below = String(Math.floor(micros) % 1_000).padStart(3, '0');
  return new Date(Math.floor(micros / 1_000)).toISOString().replace('Z', `${below}Z`);
}
