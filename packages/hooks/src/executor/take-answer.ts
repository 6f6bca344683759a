import { RunError, withCause } from '../errors.ts';
import { isShapeProblem, ShapeProblem, UNREADABLE } from '../shapes/problem.ts';
import { nameSortOfValue } from '../shapes/record.ts';
import { sameValue } from '../shapes/same.ts';
import type { Held, Shape } from '../shapes/shape.ts';
import type { Decision } from '../vocabulary/control.ts';
import type { AnyHookKind } from '../vocabulary/lifecycle.ts';
import type { Outcome } from '../vocabulary/record.ts';
import { type Failure, failureText, invalidResult } from './failure.ts';
import type { RunningChain } from './running-chain.ts';

/** What came of a hook's answer: how the run ended, and what the chain carries after it. */
export interface Taken {
  readonly outcome: Extract<Outcome, 'ok' | 'changed' | 'denied' | 'asked'>;
  /** The same as before where the hook changed nothing. */
  readonly held: Held<unknown>;
  readonly decision: Decision | null;
  readonly collected: readonly string[] | undefined;
  /** Why a part of the answer does not count. */
  readonly why?: string;
}

/** Takes a hook's answer. @throws {ShapeProblem} where it does not fit, or throws when it is read */
export function takeAnswer(chain: RunningChain, returned: unknown): Taken {
  try {
    return takeByKind[chain.row.kind](chain, returned);
  } catch (error) {
    throw isShapeProblem(error) ? error : new ShapeProblem(`it ${UNREADABLE}`);
  }
}

/** How each kind of hook has its answer taken (design §4). */
const takeByKind: { readonly [Kind in AnyHookKind]: (chain: RunningChain, returned: unknown) => Taken } = {
  observe: ({ args }) => unchanged(args.subject),
  replace: (chain, returned) =>
    returned === null || returned === undefined
      ? withoutAnswer(chain.args.subject, returned)
      : adopt(chain, returned),
  transform: adopt,
  decide: takeDecision,
  collect: takeTexts,
};

function unchanged(held: Held<unknown>): Taken {
  return { outcome: 'ok', held, decision: null, collected: undefined };
}

/** `null` says that nothing is to change; nothing at all may be a forgotten `return`, and is told. */
function withoutAnswer(held: Held<unknown>, returned: null | undefined): Taken {
  return returned === null ? unchanged(held) : { ...unchanged(held), why: RETURNED_NOTHING };
}

const RETURNED_NOTHING = 'it returned nothing: null says that nothing changes';

function adopt(chain: RunningChain, returned: unknown): Taken {
  const before = chain.args.subject;
  const held = before.adopt(returned);
  if (held === before) return unchanged(before);
  const { changes } = chain.hook;
  if (changes !== undefined) refuseOtherChanges(before.value as Row, held.value as Row, changes);
  return { outcome: 'changed', held, decision: null, collected: undefined };
}

type Row = Record<string, unknown>;

function refuseOtherChanges(before: Row, after: Row, changes: readonly string[]): void {
  for (const field in before) {
    const isSame = Object.hasOwn(after, field) && sameValue(before[field], after[field]);
    if (!isSame && !changes.includes(field)) throw notToChange(field, changes);
  }
  for (const field in after)
    if (!Object.hasOwn(before, field) && !changes.includes(field)) throw notToChange(field, changes);
}

function notToChange(field: string, changes: readonly string[]): ShapeProblem {
  const name = /^[a-zA-Z_]{1,40}$/.test(field) ? `"${field}"` : 'a field';
  return new ShapeProblem(`it changed ${name}, and may change only ${changes.join(', ') || 'nothing'}`);
}

const outcomeOf = { deny: 'denied', ask: 'asked', allow: undefined } as const;

function takeDecision(chain: RunningChain, returned: unknown): Taken {
  const { row } = chain;
  const before = chain.args.subject;
  // A guard that forgot its `return` would let everything pass in silence.
  if (returned === undefined)
    throw new ShapeProblem('expected a decision, or null for no opinion, got nothing: is a return missing?');
  const { read, rewrite } = row.decide as NonNullable<typeof row.decide>;
  const given = read(returned);
  if (given === null) return unchanged(before);
  const isSure = given.decision !== 'allow' || isAllThatRuns(chain);
  const { decision: _, ...undecided } = given;
  const decision: Decision = isSure ? given : undecided;
  const held = decision.input === undefined ? before : before.adopt(rewrite(before.value, decision.input));
  const outcome = decision.decision === undefined ? undefined : outcomeOf[decision.decision];
  return {
    outcome: outcome ?? (held === before ? 'ok' : 'changed'),
    held,
    decision,
    collected: undefined,
    ...(isSure ? {} : { why: NOT_ALL }),
  };
}

const NOT_ALL = 'its allow does not count: the call does more than its matcher names, or may do more';

/** An allow is for what the hook's matcher names, and for nothing that the call does besides. */
function isAllThatRuns({ hook, args, settings }: RunningChain): boolean {
  return hook.matcher === undefined || hook.matcher.isAll(args.toolCall(), settings.environment);
}

/** A list that is longer is no list of contexts, and a copy of one with holes could end the process. */
const MOST_TEXTS = 10_000;

function takeTexts({ args }: RunningChain, returned: unknown): Taken {
  const held = args.subject;
  if (returned === null || returned === undefined) return withoutAnswer(held, returned);
  const isList = Array.isArray(returned);
  if (isList && returned.length > MOST_TEXTS)
    throw new ShapeProblem(`expected ${MOST_TEXTS} texts at most, got ${returned.length}`);
  const collected: readonly unknown[] = isList ? [...returned] : [returned];
  if (!collected.every((text) => typeof text === 'string')) {
    throw new ShapeProblem(`expected a string, a list of strings or null, got ${nameSortOfValue(returned)}`);
  }
  return { outcome: 'ok', held, decision: null, collected };
}

/** Whether a rewritten input fits, and what is put back into it: both before another hook is asked about it. */
export async function checkRewrite(
  { settings, hook, state, args }: RunningChain,
  subject: unknown,
): Promise<Failure | undefined> {
  const broken = await settings.checkInput?.(hook.hook, subject, state);
  await args.restored?.prepare(subject);
  return broken === undefined ? undefined : invalidResult(`the rewritten input does not fit: ${broken}`);
}

/**
 * Takes the subject of a chain that a failure blocks out of what follows.
 *
 * @throws {RunError} where nothing can take the subject's place
 */
export function withholdSubject({ row, args, hook: running, state }: RunningChain, failure: Failure): void {
  const { hook, id } = running;
  if (row.withhold === undefined) {
    const error = new RunError(failure.code, failureText(running, failure), {
      hook,
      id,
      threadId: state.threadId,
    });
    throw withCause(error, failure.isPlace ? failure.error : undefined);
  }
  args.subject = (row.args.at(-1) as Shape<unknown>).hold(row.withhold(id));
}
