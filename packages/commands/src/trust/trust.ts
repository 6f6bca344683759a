// Trust: finds what the commands of a file would run (`fingerprint.ts`), and whether a person agreed to it. `load` calls it; it never runs what it reads.

import { type Stats, statSync } from 'node:fs';
import { DefinitionError } from '@spec/hooks';
import { type Fingerprint, type TrustSubject, takeFingerprint } from './fingerprint.ts';
import type { UnseenCode } from './sight.ts';
import type { TrustStore } from './store.ts';

/** Which settings files of projects may run: all, or those in a store that are unchanged since they were trusted. Default: none. */
export type TrustOption = 'all' | TrustStore;

/** Whether a settings file may run. */
export interface Trust {
  /** `given`: the user's own files, and all files if the operator says so. */
  readonly status: 'given' | 'trusted' | 'unknown' | 'changed';
  /** The fingerprint to trust. */
  readonly fingerprint: string;
  /** The absolute paths of the scripts in the fingerprint. */
  readonly scripts: readonly string[];
  /** Code that its commands run but the fingerprint does not cover. */
  readonly unseen: readonly UnseenCode[];
  /** Why its entries must not run now. Also notices when a trusted script has changed. */
  refusal(): string | undefined;
}

/** @throws {DefinitionError} `bad_option` for what is neither `'all'` nor a store */
export function checkTrustOption(caller: string, option: unknown): void {
  if (option === undefined || option === 'all') return;
  if (typeof (option as Partial<TrustStore> | null)?.get === 'function') return;
  throw new DefinitionError(
    'bad_option',
    `${caller}: trust must be a store, as trustStore() gives one, or 'all', which runs the commands of every file.`,
  );
}

/** Looks up whether a settings file is trusted in its present state. */
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

/** The trust in a file that is missing or has no hooks left; `undefined` if nobody ever trusted it. */
export async function lookUpGoneTrust(
  path: string,
  option: TrustOption | undefined,
): Promise<Trust | undefined> {
  const trusted = typeof option === 'object' ? await option.get(path) : undefined;
  if (trusted === undefined) return undefined;
  return { status: 'changed', fingerprint: '', scripts: [], unseen: [], refusal: () => undefined };
}

/** Checks the scripts before each run. A script that an agent changed or added must not run as trusted. */
function watchScripts(subject: TrustSubject, { value, paths }: Fingerprint): () => string | undefined {
  let watched = paths;
  // Unset at first, so that a change since the fingerprint was taken cannot pass as trusted.
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
