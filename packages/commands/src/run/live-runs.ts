import { randomBytes } from 'node:crypto';

/** The variable that marks every process of a run. A child keeps it, even after it left the process group. */
export const RUN_VARIABLE = 'HOOK_RUN';

/** What the marks of all runs of this host begin with. */
export const hostMark: string = randomBytes(8).toString('hex');

/** The runs that have not ended, by their mark, with the process group of each once it has one. */
const live = new Map<string, number | undefined>();
let count = 0;

/** Opens a run and returns its mark. */
export function openRun(): string {
  const mark = `${hostMark}.${++count}`;
  live.set(mark, undefined);
  return mark;
}

export function setGroup(mark: string, group: number): void {
  live.set(mark, group);
}

export function closeRun(mark: string): void {
  live.delete(mark);
}

export function isLive(mark: string): boolean {
  return live.has(mark);
}

/** Sends a signal to a process group. A missing group is no error. */
export function signalGroup(group: number | undefined, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  if (group === undefined) return false;
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

/** Whether a process group still has a process. */
export function isGroupLeft(group: number | undefined): boolean {
  return signalGroup(group, 0);
}

/** Kills the groups of all runs at once, for the end of the host. */
export function killLiveGroups(): void {
  for (const group of live.values()) signalGroup(group, 'SIGKILL');
  live.clear();
}
