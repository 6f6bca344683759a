import type { Writable } from 'type-fest';
import type { ChainMember } from '../define/scope.ts';
import type { Held } from '../shapes/shape.ts';
import type { Decision } from '../vocabulary/control.ts';
import type { EntryRun, RunDetails, RunRecord } from '../vocabulary/record.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import type { Failure } from './failure.ts';
import type { RunningChain } from './running-chain.ts';
import type { Taken } from './take-answer.ts';

/** What the executor says of each run (C9, C10): ids, codes, sizes and times; values go separately, to who may see them. */

/** What may be told of a subject: nothing, neither value nor size, of one into which values were put back. */
function hideRestored({ row }: RunningChain, held: Pick<Held<unknown>, 'size' | 'value'>): typeof held {
  return row.restores ? hidden : held;
}

const hidden = { size: 0, value: undefined };

const NOTHING = Object.freeze({});

function selectWhy({ row }: RunningChain, why: string | undefined): { readonly why?: string } {
  if (row.restores) return { why: why === undefined ? 'restore' : `restore: ${why}` };
  return why === undefined ? NOTHING : { why };
}

function tellSubject({ args }: RunningChain): Pick<RunRecord, 'about'> {
  return args.about === undefined ? {} : { about: args.about };
}

export function recordSuccess(chain: RunningChain, { hook, source }: ChainMember, taken: Taken): void {
  const { onRun } = chain.settings;
  if (onRun === undefined) return;
  const { state, ms } = chain;
  const changed = taken.held !== chain.args.subject;
  const before = hideRestored(chain, chain.args.subject);
  const after = hideRestored(chain, taken.held);
  const sizeBefore = before.size;
  const record: Writable<RunRecord> = {
    hook: hook.hook,
    id: hook.id,
    source,
    outcome: taken.outcome,
    changed,
    ms,
    sizeBefore,
    sizeAfter: changed ? after.size : sizeBefore,
  };
  // Added, not spread: this is said of every run, and a literal with spreads is not filled by the compiler's code.
  if (chain.args.about !== undefined) record.about = chain.args.about;
  const { why } = selectWhy(chain, taken.why);
  if (why !== undefined) record.why = why;
  const details: Writable<RunDetails<ThreadState>> = { state, before: before.value, after: after.value };
  const { decision } = tellDecision(chain, taken);
  if (decision !== undefined) details.decision = decision;
  onRun(record, details);
}

/** A reason may quote what the hook saw. */
function tellDecision(chain: RunningChain, { decision }: Taken): { readonly decision?: Decision } {
  return decision === null || mayHoldValues(chain) ? NOTHING : { decision };
}

function mayHoldValues({ row, args }: RunningChain): boolean {
  return row.restores === true || args.restored !== undefined;
}

export function recordFailure(chain: RunningChain, { hook, source }: ChainMember, failure: Failure): void {
  const { onRun } = chain.settings;
  if (onRun === undefined) return;
  const { size, value } = hideRestored(chain, chain.args.subject);
  const { outcome, code, why, error } = failure;
  const record = {
    hook: hook.hook,
    id: hook.id,
    source,
    outcome,
    changed: false,
    ms: chain.elapsedMs,
    sizeBefore: size,
    sizeAfter: size,
    code,
    ...tellSubject(chain),
    ...selectWhy(chain, why),
  };
  const details = { state: chain.state, before: value, after: value };
  onRun(record, mayHoldValues(chain) ? details : { ...details, error });
}

export function recordSkip(chain: RunningChain, { hook, source }: ChainMember, why: string): void {
  const { onRun } = chain.settings;
  if (onRun === undefined) return;
  const { size, value } = hideRestored(chain, chain.args.subject);
  onRun(
    {
      hook: hook.hook,
      id: hook.id,
      source,
      outcome: 'skipped',
      changed: false,
      ms: 0,
      sizeBefore: size,
      sizeAfter: size,
      ...tellSubject(chain),
      ...selectWhy(chain, why),
    },
    { state: chain.state, before: value, after: value },
  );
}

/** Records an entry that a hook runs as its own (C1). */
export function recordEntryRun(
  chain: RunningChain,
  { hook, source }: ChainMember,
  { position: place, id, outcome, changed, ms, sizeBefore, sizeAfter, code, why }: EntryRun,
): void {
  const { state } = chain;
  const { onRun } = chain.settings;
  if (onRun === undefined) return;
  const { value: entryOf } = hideRestored(chain, chain.args.subject);
  const record = {
    hook: hook.hook,
    id,
    source: place === undefined ? source : `${source.split(' (', 1)[0]} (${place})`,
    outcome,
    changed,
    ms,
    sizeBefore,
    sizeAfter,
    ...tellSubject(chain),
    ...(code === undefined ? {} : { code }),
    ...(why === undefined ? {} : { why }),
  };
  onRun(record, { state, before: undefined, after: undefined, entryOf });
}
