import type { Outcome } from '@spec/hooks';
import {
  type Chain,
  DEFAULT_TIMEOUT,
  type End,
  type Ended,
  type Member,
  type ModelledRow,
  modelled,
} from './chain.ts';

/**
 * The reference model of the semantics (design §4, §5 and §6): what a chain comes to, as plain loops over data. It knows
 * nothing of promises, timers or copies, and shares no code with the executor that is held against it.
 */
export function playModel(chain: Chain): Ended {
  const run: Run = { ...chain, now: 0, runs: [], wrote: [], lateWrites: [], signalled: [] };
  const members = chain.members.toSorted(byRank);
  const end = findEnd(run, members);
  const { runs, wrote, lateWrites, signalled } = run;
  return { runs, end, wrote, lateWrites, signalled };
}

function findEnd(run: Run, members: readonly Member[]): End {
  if (members.length > 0 && run.abortAt !== undefined && run.abortAt < 0)
    return skip(run, members, { error: 'aborted' });
  return modelled[run.hook].kind === 'decide' ? deliberate(run, members) : walk(run, members);
}

type Run = Chain & Record<'runs' | 'wrote' | 'lateWrites' | 'signalled', string[]> & { now: number };
type Word = 'allow' | 'deny' | 'ask';

/** Policies come first; then the higher priority; then as given. */
const byRank = (a: Member, b: Member): number =>
  Number(b.isPolicy) - Number(a.isPolicy) || b.priority - a.priority;

/** C1: one after the other, each with what the one before left. */
function walk(run: Run, members: readonly Member[]): End {
  const { kind, blocked } = modelled[run.hook];
  const texts: string[] = [];
  let { marks } = run;
  for (const [i, member] of members.entries()) {
    const rest = members.slice(i + 1);
    const { outcome, left, policy } = ask(run, member, marks);
    if (outcome === 'aborted') return skip(run, rest, { error: 'aborted' });
    marks = left;
    if (outcome === 'ok' && kind === 'collect' && member.answer === 'edited') texts.push(member.id);
    if (policy === 'block')
      return skip(
        run,
        rest,
        blocked === 'withheld' ? { withheld: member.id } : { error: outcome, by: member.id },
      );
  }
  if (kind === 'observe') return null;
  return kind === 'collect' ? { texts } : { marks };
}

/** Design §4.2: a deny ends it; a rewrite is shown to all others once more, in at most three further rounds. */
function deliberate(run: Run, members: readonly Member[]): End {
  const said = new Map<Member, Word | undefined>();
  const rewrittenBy: string[] = [];
  let { marks } = run;
  let due = new Set(members);
  const verdict = (decision: Word | null, by: string | null): End => ({
    decision,
    by,
    marks,
    rewrittenBy: [...new Set(rewrittenBy)],
  });
  for (let round = 0; due.size > 0; round++) {
    if (round > 3) return verdict('deny', rewrittenBy.at(-1) as string);
    for (const member of members) {
      if (!due.delete(member)) continue;
      const { outcome, left, policy } = ask(run, member, marks);
      const word =
        policy !== undefined ? wordFor[policy] : isGood(outcome) ? findWord(member, marks) : undefined;
      said.set(member, word);
      const rest = members.filter((one) => !said.has(one));
      if (outcome === 'aborted') return skip(run, rest, { error: 'aborted' });
      if (left !== marks) {
        rewrittenBy.push(member.id);
        due = new Set(members.filter((one) => one !== member));
      }
      marks = left;
      if (word === 'deny') return skip(run, rest, verdict('deny', member.id));
    }
  }
  const strictest = (['ask', 'allow'] as const).find((word) => [...said.values()].includes(word));
  return verdict(
    strictest ?? null,
    members.find((one) => strictest && said.get(one) === strictest)?.id ?? null,
  );
}

const wordFor = { block: 'deny', ask: 'ask', continue: undefined } as const;

const speaks = ({ answer, onlyAbout }: Member, marks: string): boolean =>
  (answer === 'lent' || answer === 'edited') && (onlyAbout === undefined || marks.includes(onlyAbout));

const findWord = (member: Member, marks: string): Word | undefined =>
  speaks(member, marks) ? member.decision : undefined;

/** One run of one hook, as it is recorded. */
interface Asked {
  readonly outcome: Outcome;
  /** The marks after it. */
  readonly left: string;
  /** What its failure does, where it failed. */
  readonly policy?: 'block' | 'continue' | 'ask';
}

/** C10: every run has one outcome. C5: its writes count until it has ended. C4: its signal fires where it is ended from outside. */
function ask(run: Run, member: Member, marks: string): Asked {
  const answered = makeAnswer(run, member, marks);
  const outcome = findOutcome(run, member, { marks, answered });
  run.runs.push(`${member.id} ${outcome}`);
  if (member.refuses === undefined) run.now += Math.min(member.ms, chooseTimeout(member));
  if (member.refuses === undefined && member.writesLate) run.lateWrites.push(member.id);
  const isEnded = outcome === 'aborted' || outcome === 'timed_out';
  if (member.refuses === undefined) (isEnded ? run.signalled : run.wrote).push(member.id);
  if (outcome === 'skipped' || outcome === 'aborted') return { outcome, left: marks };
  if (isGood(outcome)) return { outcome, left: answered as string };
  const policy = (outcome === 'timed_out' ? member.onTimeout : undefined) ?? member.onError;
  return { outcome, left: marks, policy: policy ?? modelled[run.hook].onFailure };
}

const chooseTimeout = ({ timeout }: Member): number => timeout ?? DEFAULT_TIMEOUT;

const isGood = (outcome: Outcome): boolean => ['ok', 'changed', 'denied', 'asked'].includes(outcome);

interface Answered {
  readonly marks: string;
  readonly answered: string | null;
}

function findOutcome(run: Run, member: Member, { marks, answered }: Answered): Outcome {
  if (member.refuses !== undefined) return member.refuses === 'match' ? 'skipped' : 'invalid_input';
  const until = run.now + Math.min(member.ms, chooseTimeout(member));
  if (member.aborts || until > (run.abortAt ?? Number.POSITIVE_INFINITY)) return 'aborted';
  if (member.ms > chooseTimeout(member)) return 'timed_out';
  if (member.answer === 'throws') return 'failed';
  if (answered === null || (member.mayChangeNothing && answered !== marks)) return 'invalid_result';
  const word = modelled[run.hook].kind === 'decide' ? findWord(member, marks) : undefined;
  if (word === 'deny' || word === 'ask') return word === 'deny' ? 'denied' : 'asked';
  return answered === marks ? 'ok' : 'changed';
}

/** The marks after a hook's answer; `null` where the answer does not fit its kind. */
function makeAnswer({ hook }: Run, member: Member, marks: string): string | null {
  const { kind, isText, isFixed }: ModelledRow = modelled[hook];
  const { answer, id } = member;
  if (kind === 'observe') return marks;
  if (answer === 'wrong') return null;
  if (answer === 'null') return kind === 'transform' ? null : marks;
  if (answer === 'undefined') return kind === 'transform' || kind === 'decide' ? null : marks;
  if (kind === 'collect') return answer === 'lent' ? null : marks;
  if (kind === 'decide' && !speaks(member, marks)) return marks;
  if (answer === 'edited' && isFixed) return null;
  if (answer === 'edited') return member.edit === 'sets' ? id : marks + id;
  return member.scribbles && kind !== 'decide' && !isText ? `${marks}!` : marks;
}

/** C10: who is passed over is recorded too. */
function skip(run: Run, members: readonly Member[], end: End): End {
  run.runs.push(...members.map(({ id }) => `${id} skipped`));
  return end;
}
