import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { TrustFile } from '@spec/commands/trust';
import { printable } from '../printable.ts';
import { listConfigPlaces } from '../project/config.ts';
import type { ProjectCode } from './project-code.ts';

/** Code that a person trusted, and that is no longer what is found in its folder. Paths are relative to that folder. */
export interface LostCode {
  readonly refusal: 'lost';
  /** What was trusted. */
  readonly subject: string;
  /** What is found now; absent: nothing is. */
  readonly instead?: string;
}

/**
 * Finds code that a person trusts and that would be found here, had nobody moved it away or put other code before it: who can write into a folder
 * could take every guard off otherwise. Other code that a person trusts, too, is theirs, unless it is only found because nearer code is gone.
 */
export async function findLostCode(
  root: string,
  found: ProjectCode | undefined,
  store: TrustFile,
): Promise<LostCode | undefined> {
  const trusted = await store.all();
  const places = listCodePlaces(root);
  const isTrusted = found !== undefined && trusted.has(found.subject);
  const rivals = isTrusted ? places.slice(0, places.indexOf(found.subject)) : places;
  const lost = rivals.find((place) => place !== found?.subject && trusted.has(place));
  if (lost === undefined) return undefined;
  const instead = found === undefined ? {} : { instead: relative(root, found.subject) };
  return { refusal: 'lost', subject: relative(root, lost), ...instead };
}

/** What is trusted in place of this code, and is gone from where it would be found first. */
export async function listGoneBefore(
  { subject, folder }: ProjectCode,
  store: TrustFile,
): Promise<readonly string[]> {
  const trusted = await store.all();
  const places = listCodePlaces(folder);
  const before = places.slice(0, places.indexOf(subject));
  return before.filter((place) => trusted.has(place) && !existsSync(place));
}

/** Why nothing runs, and what to do. */
export function describeLost({ subject, instead }: LostCode): string {
  const lost = printable(subject);
  if (instead === undefined)
    return `The code of the hooks that a person trusted is gone: ${lost}. Put it back; or, if the hooks are meant to end, a person can say so with: spec-hooks trust --remove ${lost}`;
  const now = printable(instead);
  return `The code of the hooks is another than a person trusted: ${now} is found in place of ${lost}. Put ${lost} back as it was, or let a person trust what is there now: spec-hooks trust ${now}`;
}

/** Where the code of a folder would be found, the first that is there counts. */
function listCodePlaces(folder: string): string[] {
  return [...listConfigPlaces(resolve(folder)), join(resolve(folder), 'hooks')];
}
