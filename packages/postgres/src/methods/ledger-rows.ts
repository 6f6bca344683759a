import type { LedgerEntry, LedgerFilter } from '@spec/runtime';
import { decodeRuns, listForms } from '@spec/runtime/store-kit';
import { decodeOrNull, decodeText, encodeText } from '../texts.ts';

/** Columns of a row of runs; `r` is its table, `t` that of threads. */
export const runColumns = 'r.key::float8, t.id, r.turn_id, r.step, r.runs';

/** The types of these columns. */
export type RunColumns = [key: number, threadId: string, turnId: string | null, step: number, runs: string];

/** The tables of these columns. */
export const runSource = '$schema.hook_runs r join $schema.threads t on t.key = r.thread';

/** The runs in a row. @throws RunError `store_unreadable` */
export function readRuns([, threadId, turnId, step, runs]: RunColumns): LedgerEntry[] {
  return decodeRuns({ turnId: decodeOrNull(turnId), step, runs }, decodeText(threadId));
}

/** Conditions on rows that may hold such runs. Appends their values to the list. */
export function filterRows(filter: LedgerFilter, values: unknown[]): string[] {
  const { threadId, turnId, since, until, hook, id, outcome } = filter;
  const conditions: string[] = [];
  if (threadId !== undefined) conditions.push(`t.id = $${values.push(encodeText(threadId))}`);
  if (turnId === null) conditions.push('r.turn_id is null');
  else if (turnId !== undefined) conditions.push(`r.turn_id = $${values.push(encodeText(turnId))}`);
  if (since !== undefined) conditions.push(`r.youngest >= $${values.push(since)}::float8`);
  if (until !== undefined) conditions.push(`r.oldest < $${values.push(until)}::float8`);
  for (const forms of [listForms(hook), id === undefined ? undefined : [id], listForms(outcome)])
    if (forms !== undefined) conditions.push(mentions(forms, values));
  return conditions;
}

/** The packed text of runs has each name as a JSON text. */
function mentions(forms: readonly string[], values: unknown[]): string {
  const each = forms.map((form) => `strpos(r.runs, $${values.push(JSON.stringify(form))}) > 0`);
  return `(${each.join(' or ')})`;
}
