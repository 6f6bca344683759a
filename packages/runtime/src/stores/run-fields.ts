import type { RunSubject } from '@spec/hooks';
import type { LedgerEntry } from './store.ts';

/** The number of fields that every entry has. */
const ownFields = 12;

/** The fields of a ledger entry beyond its type, such as traced values; `null` if there are none. */
export function pickOtherFields(run: LedgerEntry): Record<string, unknown> | null {
  const { code, why, about } = run;
  const optional = Number(code !== undefined) + Number(why !== undefined) + Number(about !== undefined);
  let fields = 0;
  for (const _ in run) fields++;
  if (fields <= ownFields + optional) return null;
  const { threadId, turnId, step, at, hook, id, source, outcome, ...rest } = run;
  const { changed, ms, sizeBefore, sizeAfter, code: _code, why: _why, about: _about, ...others } = rest;
  return others;
}

/** A copy of the subject of a run; `undefined` if it is neither one message nor one call. */
export function readSubject(about: unknown): RunSubject | undefined {
  if (typeof about !== 'object' || about === null) return undefined;
  let fields = 0;
  for (const _ in about) fields++;
  const { message, call } = about as Readonly<Record<string, unknown>>;
  if (fields === 1 && typeof message === 'string') return { message };
  if (fields === 1 && typeof call === 'string') return { call };
  return readAnySubject(about);
}

/** Of one with fields that are `undefined`, or that are none of a subject. */
function readAnySubject(about: object): RunSubject | undefined {
  let subject: RunSubject | undefined;
  for (const kind of Object.keys(about)) {
    const id = (about as Readonly<Record<string, unknown>>)[kind];
    if (id === undefined) continue;
    if (subject !== undefined || typeof id !== 'string') return undefined;
    if (kind === 'message') subject = { message: id };
    else if (kind === 'call') subject = { call: id };
    else return undefined;
  }
  return subject;
}
