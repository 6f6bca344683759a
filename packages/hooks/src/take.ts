import type { ChainRun } from './chain-run.ts';
import type { Decision } from './control.ts';
import type { AnyHookKind } from './lifecycle.ts';
import type { Outcome } from './record.ts';
import { ShapeProblem } from './shapes/index.ts';
import { nameOfSort } from './shapes/record.ts';
import { sameValue } from './shapes/same.ts';

/** What came of a hook's answer: how the run ended, and the subject after it. */
export interface Taken {
  readonly outcome: Extract<Outcome, 'ok' | 'changed' | 'denied' | 'asked'>;
  readonly subject: unknown;
  readonly changed: boolean;
  readonly decision?: Decision | null;
  readonly collected?: readonly string[];
}

/** How each kind of hook has its answer taken (design §4). Throws `ShapeProblem` for an answer that does not fit. */
export const takeByKind: { readonly [Kind in AnyHookKind]: (chain: ChainRun, returned: unknown) => Taken } = {
  observe: (chain) => unchanged(chain),
  replace: (chain, returned) => (returned === null || returned === undefined ? unchanged(chain) : adopt(chain, returned)),
  transform: adopt,
  decide: takeDecision,
  collect: takeTexts,
};

function unchanged({ subject }: ChainRun): Taken {
  return { outcome: 'ok', subject, changed: false };
}

function adopt(chain: ChainRun, returned: unknown): Taken {
  const { subject: kept, lent, shape } = chain;
  const subject = (shape as NonNullable<typeof shape>).adopt(returned, { kept, lent });
  if (subject === kept || sameText(subject, kept)) return unchanged(chain);
  const { changes } = chain.hook;
  if (changes !== undefined) refuseOtherChanges(kept as Row, subject as Row, changes);
  return { outcome: 'changed', subject, changed: true };
}

function sameText(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && a === b;
}

type Row = Record<string, unknown>;

function refuseOtherChanges(kept: Row, subject: Row, changes: readonly string[]): void {
  for (const field of new Set([...Object.keys(kept), ...Object.keys(subject)])) {
    if (changes.includes(field) || sameValue(kept[field], subject[field])) continue;
    const name = /^[a-zA-Z_]{1,40}$/.test(field) ? `"${field}"` : 'a field';
    throw new ShapeProblem(`it changed ${name}, and may change only ${changes.join(', ') || 'nothing'}`);
  }
}

const outcomeOf = { deny: 'denied', ask: 'asked', allow: 'ok' } as const;

function takeDecision(chain: ChainRun, returned: unknown): Taken {
  const { row, subject: kept, lent, shape } = chain;
  const { read, rewrite } = row.decide as NonNullable<typeof row.decide>;
  const decision = read(returned);
  const input = decision?.input;
  const rewritten = input === undefined ? kept : rewrite(kept, input);
  const subject = (shape as NonNullable<typeof shape>).adopt(rewritten, { kept, lent });
  const changed = subject !== kept;
  const outcome = decision?.decision === undefined ? undefined : outcomeOf[decision.decision];
  return { outcome: outcome === undefined || outcome === 'ok' ? (changed ? 'changed' : 'ok') : outcome, subject, changed, decision };
}

function takeTexts(chain: ChainRun, returned: unknown): Taken {
  if (returned === null || returned === undefined) return unchanged(chain);
  const collected = typeof returned === 'string' ? [returned] : returned;
  if (!Array.isArray(collected) || !collected.every((text) => typeof text === 'string')) {
    throw new ShapeProblem(`expected a string, a list of strings or null, got ${nameOfSort(returned)}`);
  }
  return { ...unchanged(chain), collected };
}
