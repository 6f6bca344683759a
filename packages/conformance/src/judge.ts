import { checkOptionNames, DefinitionError, type OptionNames } from '@spec/hooks';
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
  /** How many cases were not asked for, where only a part was judged. */
  readonly notJudged?: number;
}

export interface JudgeOptions extends RunCaseOptions {
  /** The cases that the subject is known to fail. */
  readonly baseline?: Baseline;
  /** Ids or topics of the cases to run, where `*` stands for anything: `before_tool_call`, `*.timeout*`. Default: all. */
  readonly only?: string;
  /** How many cases run at the same time. Default 1. */
  readonly concurrency?: number;
  /** How often a case that failed is run again before it counts, alone where `judge` runs it. Default 0. */
  readonly retries?: number;
  /** Called as each case ends. Must not throw. */
  readonly onVerdict?: (verdict: CaseVerdict) => void;
  /** Default: all of this package. */
  readonly cases?: readonly Case[];
}

export const judgeOptionNames: OptionNames<JudgeOptions> = {
  timeLimit: true,
  baseline: true,
  only: true,
  concurrency: true,
  retries: true,
  onVerdict: true,
  cases: true,
};

/**
 * Runs the cases on a subject. Never rejects for what the subject does: that is in the judgement.
 *
 * @throws {DefinitionError} `bad_option` where no case is of the id or topic asked for, or `concurrency` is no whole number from 1
 */
export async function judge(subject: Subject, options: JudgeOptions = {}): Promise<Judgement> {
  checkOptionNames('judge', options, judgeOptionNames);
  const { cases = allCases, concurrency = 1, onVerdict } = options;
  const chosen = casesToRun(options);
  const verdicts: CaseVerdict[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < chosen.length; i = next++) {
      const verdict = await judgeCase(chosen[i] as Case, subject, options);
      verdicts[i] = verdict;
      onVerdict?.(verdict);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  for (const [i, verdict] of verdicts.entries())
    verdicts[i] = await untilItPasses(verdict, options, () => judgeCase(chosen[i] as Case, subject, options));
  const unknown = unknownIds(options.baseline, cases);
  const ok = unknown.length === 0 && verdicts.every((verdict) => describeComplaint(verdict) === undefined);
  const notJudged = cases.length - chosen.length;
  return { subject: subject.name, ok, verdicts, unknown, ...(notJudged > 0 ? { notJudged } : {}) };
}

/** Runs one case on a subject, and holds what comes of it against the baseline. Never rejects. */
async function judgeCase(
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

/** As {@link judgeCase}, and again as often as the options say where it fails. */
export async function judgeAgain(one: Case, subject: Subject, options: JudgeOptions): Promise<CaseVerdict> {
  const judgeIt = (): Promise<CaseVerdict> => judgeCase(one, subject, options);
  return untilItPasses(await judgeIt(), options, judgeIt);
}

async function untilItPasses(
  first: CaseVerdict,
  { retries = 0 }: JudgeOptions,
  again: () => Promise<CaseVerdict>,
): Promise<CaseVerdict> {
  let verdict = first;
  for (let left = retries; left > 0 && verdict.outcome === 'failed'; left--) {
    const { tries = 1 } = verdict;
    const next = await again();
    verdict = { ...next, tries: tries + (next.tries ?? 1) };
  }
  return verdict;
}

/** Why a verdict fails the run, in the words a person needs; `undefined` where it does not. */
export function describeComplaint({
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

/**
 * The cases that the options ask for.
 *
 * @throws {DefinitionError} `bad_option`, as {@link judge} does
 */
export function casesToRun({ cases = allCases, only, concurrency = 1 }: JudgeOptions): readonly Case[] {
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new DefinitionError(
      'bad_option',
      `"concurrency" must be a whole number from 1, not ${concurrency}.`,
    );
  const chosen = casesNamed(cases, only);
  if (only === undefined || chosen.length > 0) return chosen;
  throw new DefinitionError('bad_option', `No case has the id or the topic "${only}".`);
}

/** The cases whose id or topic fits a pattern, in which `*` stands for anything. */
export function casesNamed(cases: readonly Case[], pattern: string | undefined): readonly Case[] {
  if (pattern === undefined) return cases;
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const fits = new RegExp(`^(?:${parts.join('.*')})$`);
  return cases.filter(({ id }) => fits.test(id) || fits.test(readTopic(id)));
}

/** What a case is about: its id up to the first point. */
export function readTopic(id: string): string {
  return id.split('.', 1)[0] as string;
}
