import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '@spec/hooks';

/** A run of a hook in an agent. */
export interface SpooledRun extends RunRecord {
  /** Microseconds since the epoch. */
  readonly at: number;
}

/** The runs of one event of an agent. */
export interface SpooledEvent {
  readonly agent: string;
  /** The agent's own id of the session. */
  readonly session: string;
  readonly runs: readonly SpooledRun[];
}

/** Keeps the runs of an event for the ledger. A process that an agent waits for loads no database. */
export function spoolEvent(folder: string, event: SpooledEvent): void {
  if (event.runs.length === 0) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    appendFileSync(join(folder, FILE), `${JSON.stringify(event)}\n`, { mode: 0o600 });
  } catch {
    // A full or read-only disk must not keep a hook from answering.
  }
}

const FILE = 'runs.jsonl';
const TAKEN = /^runs-(\d+)-[\d-]+\.taken$/;

/** Who had opened the file before it was taken has written to it by then. In milliseconds. */
const SETTLING = 20;

/** A piece of the spool, which nobody adds to any more. */
export interface SpoolPiece {
  /** Unlike that of any other piece. */
  readonly name: string;
  readonly events: readonly SpooledEvent[];
  /** Its runs are in the ledger. */
  remove(): void;
}

/** Takes what is in the spool, also what a process that has ended has taken and not brought into the ledger. */
export function takeSpool(folder: string): readonly SpoolPiece[] {
  if (!existsSync(folder)) return [];
  const name = `runs-${process.pid}-${Date.now()}-${process.hrtime.bigint()}.taken`;
  try {
    renameSync(join(folder, FILE), join(folder, name));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLING);
  } catch {
    // Nothing is there, or somebody else was faster.
  }
  const names = readdirSync(folder).filter((one) => one === name || isLeftBehind(one));
  return names.sort().map((one) => readPiece(folder, one));
}

function isLeftBehind(name: string): boolean {
  const [, pid] = TAKEN.exec(name) ?? [];
  if (pid === undefined || Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function readPiece(folder: string, name: string): SpoolPiece {
  const file = join(folder, name);
  const lines = readFileSync(file, 'utf8').split('\n');
  return { name, events: lines.flatMap(readEvent), remove: () => rmSync(file, { force: true }) };
}

/** A process that was killed while it wrote leaves half a line. */
function readEvent(line: string): SpooledEvent[] {
  try {
    const event: SpooledEvent = JSON.parse(line);
    return typeof event.session === 'string' && Array.isArray(event.runs) ? [event] : [];
  } catch {
    return [];
  }
}
