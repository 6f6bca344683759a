import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '@spec/hooks';
import { breakDeadLock, isRunning, whileLocked } from './lock.ts';

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

/** Keeps the runs of an event for the ledger. A process that an agent waits for loads no database, and waits for nobody. */
export function spoolEvent(folder: string, event: SpooledEvent): void {
  if (event.runs.length === 0) return;
  const line = `${JSON.stringify(event)}\n`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const add = (): void => appendFileSync(join(folder, FILE), line, { mode: 0o600 });
    if (!whileLocked(join(folder, LOCK), add)) writeAside(folder, line);
  } catch {
    // A full or read-only disk must not keep a hook from answering.
  }
}

/** Whole or not at all, so that whoever takes it needs no lock. */
function writeAside(folder: string, line: string): void {
  const name = join(folder, `aside-${makeName()}`);
  writeFileSync(`${name}.tmp`, line, { mode: 0o600 });
  renameSync(`${name}.tmp`, `${name}.jsonl`);
}

/** Unlike any other. */
function makeName(): string {
  return `${process.pid}-${Date.now()}-${process.hrtime.bigint()}`;
}

const FILE = 'runs.jsonl';
const LOCK = 'runs.lock';
const ASIDE = /^aside-[\d-]+\.jsonl$/;
const TAKEN = /^runs-(\d+)-[\d-]+\.taken$/;

/** A piece of the spool, which nobody adds to any more. */
export interface SpoolPiece {
  /** Unlike that of any other piece. */
  readonly name: string;
  readonly events: readonly SpooledEvent[];
  /** Its runs are in the ledger. */
  remove(): void;
}

/**
 * Takes what is in the spool, also what a process that has ended has taken and not brought into the ledger. What somebody is adding to just now
 * stays for the next time.
 */
export function takeSpool(folder: string): readonly SpoolPiece[] {
  if (!existsSync(folder)) return [];
  const lock = join(folder, LOCK);
  const taken: string[] = [];
  const take = (name: string): void => {
    const own = `runs-${makeName()}.taken`;
    if (moveFile(join(folder, name), join(folder, own))) taken.push(own);
  };
  breakDeadLock(lock);
  whileLocked(lock, () => take(FILE));
  for (const name of readdirSync(folder).filter((one) => ASIDE.test(one))) take(name);
  const names = readdirSync(folder).filter((one) => taken.includes(one) || isLeftBehind(one));
  return names.sort().map((one) => readPiece(folder, one));
}

/** `false`: nothing is there, or somebody else was faster. */
function moveFile(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function isLeftBehind(name: string): boolean {
  const [, pid] = TAKEN.exec(name) ?? [];
  return pid !== undefined && Number(pid) !== process.pid && !isRunning(Number(pid));
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
