import type { ChainRun } from './chain-run.ts';
import type { Failure } from './failure.ts';
import type { ChainMember } from './scope.ts';
import type { Taken } from './take.ts';

/** What the executor says of each run (C9, C10): ids, codes, sizes and times; values go separately, to who may see them. */

export function recordSuccess(chain: ChainRun, { hook, source }: ChainMember, taken: Taken): void {
  const { onRun } = chain.settings;
  if (onRun === undefined) return;
  const { state, ms } = chain;
  const before = chain.args.subject;
  const after = taken.held;
  const sizeBefore = before.size;
  onRun(
    {
      hook: hook.hook,
      id: hook.id,
      source,
      outcome: taken.outcome,
      changed: after !== before,
      ms,
      sizeBefore,
      sizeAfter: after === before ? sizeBefore : after.size,
    },
    { state, before: before.value, after: after.value },
  );
}

export function recordFailure(chain: ChainRun, { hook, source }: ChainMember, failure: Failure): void {
  const { onRun, clock } = chain.settings;
  if (onRun === undefined) return;
  const { size, value } = chain.args.subject;
  const { outcome, code, why, error } = failure;
  const record = {
    hook: hook.hook,
    id: hook.id,
    source,
    outcome,
    changed: false,
    ms: clock.now() - chain.startedAt,
    sizeBefore: size,
    sizeAfter: size,
    code,
  };
  onRun(why === undefined ? record : { ...record, why }, {
    state: chain.state,
    before: value,
    after: value,
    error,
  });
}

export function recordSkip(chain: ChainRun, { hook, source }: ChainMember, why: string): void {
  const { onRun } = chain.settings;
  if (onRun === undefined) return;
  const { size, value } = chain.args.subject;
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
      why,
    },
    { state: chain.state, before: value, after: value },
  );
}
