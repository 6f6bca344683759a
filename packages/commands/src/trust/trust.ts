// Trust: finds what the commands of a file would run, and whether anybody has agreed to it. `load` calls it; it never runs what it reads.

import { type Stats, statSync } from 'node:fs';
import { type Fingerprint, type TrustSubject, takeFingerprint } from './fingerprint.ts';
import type { UnseenCode } from './sight.ts';
import type { TrustStore } from './store.ts';

/** Which settings files of projects may run: all, or those in a store as they were when they were trusted. Default: none. */
export type TrustOption = 'all' | TrustStore;

/** Whether a settings file may run. */
export interface Trust {
  /** `given`: files of the user's own, and all where the operator says so. */
  readonly status: 'given' | 'trusted' | 'unknown' | 'changed';
  /** What to trust it by. */
  readonly fingerprint: string;
  /** The scripts that the fingerprint is of, absolute. */
  readonly scripts: readonly string[];
  /** What of the code that its commands run the fingerprint is not of. */
  readonly unseen: readonly UnseenCode[];
  /** Why its entries must not run now. A script that was trusted and has changed since is noticed here. */
  refusal(): string | undefined;
}

/** Looks up whether a settings file is trusted as it is now. */
export async function lookUpTrust(
  path: string,
  subject: TrustSubject,
  { option, isGiven }: { readonly option: TrustOption | undefined; readonly isGiven: boolean },
): Promise<Trust> {
  const fingerprint = takeFingerprint(subject);
  const { value, scripts, unseen } = fingerprint;
  const known = { fingerprint: value, scripts, unseen };
  if (isGiven || option === 'all') return { ...known, status: 'given', refusal: () => undefined };
  const trusted = await option?.get(path);
  if (trusted === value) return { ...known, status: 'trusted', refusal: watchScripts(subject, fingerprint) };
  const status = trusted === undefined ? 'unknown' : 'changed';
  return { ...known, status, refusal: () => refusals[status] };
}

/** Why the entries of a file must not run, as the end of a sentence about the file. */
export const refusals: Readonly<Record<'unknown' | 'changed', string>> = {
  unknown: 'it is not trusted',
  changed: 'it has changed since it was trusted',
};

/** Trust in a file that has no hooks any more, or is not there: `undefined` where it was never trusted. */
export async function lookUpGoneTrust(
  path: string,
  option: TrustOption | undefined,
): Promise<Trust | undefined> {
  const trusted = typeof option === 'object' ? await option.get(path) : undefined;
  if (trusted === undefined) return undefined;
  return { status: 'changed', fingerprint: '', scripts: [], unseen: [], refusal: () => undefined };
}

/** Looks at the scripts before each run: one that an agent rewrites, or puts where a command looks for it, must not run as the one that was trusted. */
function watchScripts(subject: TrustSubject, { value, paths }: Fingerprint): () => string | undefined {
  let watched = paths;
  // Not looked at yet: what changed since the fingerprint was taken would pass for what was trusted.
  let looks: string | undefined;
  return () => {
    const now = describeStates(watched);
    if (now === looks) return undefined;
    const fingerprint = takeFingerprint(subject);
    if (fingerprint.value !== value) return 'a script that it names has changed since it was trusted';
    looks = fingerprint.paths.join() === watched.join() ? now : undefined;
    watched = fingerprint.paths;
    return undefined;
  };
}

function describeStates(paths: readonly string[]): string {
  return paths.map(describeState).join('\n');
}

function describeState(path: string): string {
  let stat: Stats | undefined;
  try {
    stat = statSync(path, { throwIfNoEntry: false });
  } catch {
    return 'unreadable';
  }
  return stat === undefined ? 'missing' : `${stat.mtimeMs} ${stat.ctimeMs} ${stat.size} ${stat.ino}`;
}
