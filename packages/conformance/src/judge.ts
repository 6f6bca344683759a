import type { Baseline } from './baseline.ts';
import type { Case, Level } from './case.ts';
import { cases as allCases } from './cases/index.ts';
import { type RunCaseOptions, runCase } from './run-case.ts';
import type { Subject } from './subject.ts';

/** What a case says about a subject, with its baseline taken into account. */
export interface CaseVerdict extends Pick<Case, 'id' | 'section' | 'level' | 'says'> {
  /** `known_failure`: it fails as its baseline says. `stale`: the baseline says that it fails, and it does not. */
  readonly outcome: 'passed' | 'failed' | 'known_failure' | 'stale' | 'not_applicable';
  /** Why it failed, or what the subject would have to be able to do. */
  readonly message?: string;
  /** What the baseline says. */
  readonly reason?: string;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** How often it was run, where that was more than once. */
  readonly tries?: number;
}

/** What the whole suite says about a subject. */
export interface Judgement {
  readonly subject: string;
  /** No case fails that the baseline does not know of, and the baseline is up to date. */
  readonly ok: boolean;
  /** In the order of the cases. */
  readonly verdicts: readonly CaseVerdict[];
  /** Ids in the baseline that no case has. */
  readonly unknown: readonly string[];
}

export interface JudgeOptions extends RunCaseOptions {
  /** The cases that the subject is known to fail. */
  readonly baseline?: Baseline;
  /** Ids or topics of the cases to run, where `*` stands for anything: `before_tool_call`, `*.timeout*`. Default: all. */
  readonly only?: string;
  /** How many cases run at the same time. Default 1. */
  readonly concurrency?: number;
  /** How often a case that failed is run again, alone, before it counts: for machines too busy to keep time. Default 0. */
  readonly retries?: number;
  /** Called as each case ends. Must not throw. */
  readonly onVerdict?: (verdict: CaseVerdict) => void;
  /** Default: all of this package. */
  readonly cases?: readonly Case[];
}

/** Runs the cases on a subject. Never rejects for what the subject does: that is in the judgement. */
export async function judge(subject: Subject, options: JudgeOptions = {}): Promise<Judgement> {
  const { cases = allCases, only, concurrency = 1, onVerdict } = options;
  const chosen = casesNamed(cases, only);
  const verdicts: CaseVerdict[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < chosen.length; i = next++) {
      const verdict = await judgeCase(chosen[i] as Case, subject, options);
      verdicts[i] = verdict;
      onVerdict?.(verdict);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
  const { retries = 0 } = options;
  await runFailedAgain(verdicts, { cases: chosen, retries }, (one) => judgeCase(one, subject, options));
  const unknown = unknownIds(options.baseline, cases);
  const ok = unknown.length === 0 && verdicts.every((verdict) => complaintOf(verdict) === undefined);
  return { subject: subject.name, ok, verdicts, unknown };
}

/** Runs one case on a subject, and holds what comes of it against the baseline. Never rejects. */
export async function judgeCase(
  one: Case,
  subject: Subject,
  { baseline = {}, ...limits }: RunCaseOptions & Pick<JudgeOptions, 'baseline'> = {},
): Promise<CaseVerdict> {
  const { id, section, level, says } = one;
  const { outcome, message, ms, tries } = await runCase(one, subject, limits);
  const reason = Object.hasOwn(baseline, id) ? baseline[id] : undefined;
  const known = outcome === 'failed' ? ('known_failure' as const) : ('stale' as const);
  return {
    ...{ id, section, level, says, ms },
    outcome: reason === undefined ? outcome : known,
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    ...(tries === undefined ? {} : { tries }),
  };
}

async function runFailedAgain(
  verdicts: CaseVerdict[],
  { cases, retries }: { cases: readonly Case[]; retries: number },
  run: (one: Case) => Promise<CaseVerdict>,
): Promise<void> {
  for (let round = 0; round < retries; round++) {
    for (const [i, { outcome, tries = 1 }] of verdicts.entries()) {
      if (outcome !== 'failed') continue;
      const again = await run(cases[i] as Case);
      verdicts[i] = { ...again, tries: tries + (again.tries ?? 1) };
    }
  }
}

/** Why a verdict fails the run, in the words a person needs; `undefined` where it does not. */
export function complaintOf({
  id,
  section,
  level,
  says,
  outcome,
  message,
  reason,
}: CaseVerdict): string | undefined {
  if (outcome === 'failed') return `${says} (${describeLevel(level)}, ${section})\n${message}`;
  if (outcome !== 'stale') return undefined;
  const now = message === undefined ? 'it passes' : `it is not applicable (${message})`;
  return `The baseline says that "${id}" fails ("${reason}"), and ${now}: take it out of the baseline.`;
}

function describeLevel(level: Level): string {
  return level === 'ours' ? 'beyond the specification' : level;
}

/** The ids of a baseline that no case has. */
export function unknownIds(baseline: Baseline = {}, cases: readonly Case[] = allCases): readonly string[] {
  const ids = new Set(cases.map(({ id }) => id));
  return Object.keys(baseline).filter((id) => !ids.has(id));
}

/** The cases whose id or topic fits a pattern, in which `*` stands for anything. */
export function casesNamed(cases: readonly Case[], pattern: string | undefined): readonly Case[] {
  if (pattern === undefined) return cases;
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const fits = new RegExp(`^(?:${parts.join('.*')})$`);
  return cases.filter(({ id }) => fits.test(id) || fits.test(topicOf(id)));
}

/** What a case is about: its id up to the first point. */
export function topicOf(id: string): string {
  return id.split('.', 1)[0] as string;
}
