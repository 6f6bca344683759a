import type { Level } from './case.ts';
import { type CaseVerdict, type Judgement, readTopic } from './judge.ts';

const levels: readonly Level[] = ['MUST', 'SHOULD', 'MAY', 'ours'];

/** How many of the applicable cases passed. */
export interface Score {
  readonly passed: number;
  readonly of: number;
}

/** The scores of a judgement: of all its applicable cases, and of each level that has any. */
export function scoresOf({ verdicts }: Pick<Judgement, 'verdicts'>): {
  readonly all: Score;
  readonly levels: Readonly<Partial<Record<Level, Score>>>;
} {
  const applicable = verdicts.filter(isApplicable);
  const makeScore = (some: readonly CaseVerdict[]): Score => ({
    passed: some.filter(didPass).length,
    of: some.length,
  });
  const byLevel = levels.map(
    (level) => [level, makeScore(applicable.filter((one) => one.level === level))] as const,
  );
  return { all: makeScore(applicable), levels: Object.fromEntries(byLevel.filter(([, { of }]) => of > 0)) };
}

/** A stale verdict has a message where its case does not apply. */
function isApplicable({ outcome, message }: CaseVerdict): boolean {
  return outcome !== 'not_applicable' && (outcome !== 'stale' || message === undefined);
}

function didPass({ outcome }: CaseVerdict): boolean {
  return outcome === 'passed' || outcome === 'stale';
}

/**
 * One line, as on a badge: `conformant: 212 of 212 · MUST 61/61 · SHOULD 14/14 · ours 137/137`. Where only a part was judged, it says so.
 */
export function summaryOf(judgement: Judgement): string {
  const { notJudged = 0 } = judgement;
  const { all, levels: byLevel } = scoresOf(judgement);
  const known = count(judgement, 'known_failure');
  const notApplicable = judgement.verdicts.filter((verdict) => !isApplicable(verdict)).length;
  const stale = count(judgement, 'stale') + judgement.unknown.length;
  return [
    `${wordFor(judgement)}: ${all.passed} of ${all.of}`,
    ...Object.entries(byLevel).map(([level, { passed, of }]) => `${level} ${passed}/${of}`),
    ...(known > 0 ? [`known failures ${known}`] : []),
    ...(stale > 0 ? [`stale in the baseline ${stale}`] : []),
    ...(notApplicable > 0 ? [`not applicable ${notApplicable}`] : []),
    ...(notJudged > 0 ? [`not judged ${notJudged}`] : []),
  ].join(' · ');
}

function wordFor(judgement: Judgement): string {
  if (!judgement.ok) return 'not conformant';
  const word = count(judgement, 'known_failure') > 0 ? 'as its baseline says' : 'conformant';
  return judgement.notJudged === undefined ? word : `only a part was judged, and is ${word}`;
}

function count({ verdicts }: Judgement, outcome: CaseVerdict['outcome']): number {
  return verdicts.filter((verdict) => verdict.outcome === outcome).length;
}

/** A judgement as JSON text, for machines: the summary, the scores, and every verdict. */
export function toJson(judgement: Judgement): string {
  const { subject, ok, unknown, verdicts, notJudged } = judgement;
  return JSON.stringify(
    { subject, ok, summary: summaryOf(judgement), scores: scoresOf(judgement), notJudged, unknown, verdicts },
    null,
    2,
  );
}

/** A judgement as a page of Markdown: what failed and why, what is known to, and what passed by topic. */
export function toMarkdown(judgement: Judgement): string {
  const { subject, verdicts, unknown } = judgement;
  const those = (outcome: CaseVerdict['outcome']): CaseVerdict[] =>
    verdicts.filter((one) => one.outcome === outcome);
  const stale = [
    ...those('stale').map(({ id, reason }) => [id, reason]),
    ...unknown.map((id) => [id, 'no case has this id']),
  ];
  return [
    `# Conformance of ${cell(subject)}`,
    `**${summaryOf(judgement)}**`,
    section('Failed', ['case', 'level', 'section', 'requirement', 'what came'], those('failed').map(makeRow)),
    section('Stale in the baseline', ['case', 'the baseline says'], stale),
    section(
      'Known failures',
      ['case', 'level', 'requirement', 'reason'],
      those('known_failure').map(({ id, level, says, reason }) => [id, level, says, reason]),
    ),
    section(
      'Not applicable',
      ['case', 'the runtime'],
      those('not_applicable').map(({ id, message }) => [id, message]),
    ),
    section('Passed', ['topic', 'cases'], countTopics(those('passed'))),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

type Cells = ReadonlyArray<string | undefined>;

function makeRow({ id, level, section: from, says, message }: CaseVerdict): Cells {
  return [id, level, from, says, message];
}

function section(title: string, head: readonly string[], rows: readonly Cells[]): string {
  if (rows.length === 0) return '';
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`);
  return [`## ${title}`, '', ...lines].join('\n');
}

/** What Markdown would take for a mark; within a word an underscore is none. */
const MARKS = /[\\`*<[\]~|&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

function cell(text: string | undefined): string {
  return (text ?? '').replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ').replace(MARKS, '\\$&');
}

function countTopics(passed: readonly CaseVerdict[]): Cells[] {
  const topics = new Map<string, number>();
  for (const { id } of passed) topics.set(readTopic(id), (topics.get(readTopic(id)) ?? 0) + 1);
  return [...topics].map(([topic, cases]) => [topic, String(cases)]);
}
