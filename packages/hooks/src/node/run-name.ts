import { createHash } from 'node:crypto';
import type { RecordedRun } from '../vocabulary/recorded-runs.ts';

/** A name that is the same whenever the run is looked at: when it was, and a trace of what it was. `spec-hooks log show` takes it. */
export function nameRun({ at, threadId, turnId, step, hook, id, outcome }: RecordedRun): string {
  const about = JSON.stringify([threadId, turnId, step, hook, id, outcome]);
  return `${at.toString(36)}-${createHash('sha256').update(about).digest('hex').slice(0, 4)}`;
}

/** When a run of this name was, in microseconds since the epoch; `undefined` for what is no such name. */
export function momentIn(name: string): number | undefined {
  const at = /^([0-9a-z]{1,11})-[0-9a-f]{4}$/.exec(name)?.[1];
  return at === undefined ? undefined : Number.parseInt(at, 36);
}
