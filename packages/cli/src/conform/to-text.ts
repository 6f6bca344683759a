import { type CaseVerdict, type Judgement, summaryOf } from '@spec/conformance';
import { pc } from '../colours.ts';

/** A judgement for a person at a terminal: what is wrong, and the summary. */
export function renderJudgement(judgement: Judgement): string {
  const { subject, ok, verdicts, unknown } = judgement;
  const wrong = verdicts
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'stale')
    .map(describeVerdict);
  const missing = unknown.map(
    (id) => `${pc.yellow('stale')}  ${pc.bold(id)}\n  No case has this id: take it out of the baseline.`,
  );
  const summary = `${subject}\n${(ok ? pc.green : pc.red)(summaryOf(judgement))}`;
  return [...wrong, ...missing, summary].join('\n\n');
}

function describeVerdict({ id, outcome, level, section, says, message, reason }: CaseVerdict): string {
  if (outcome === 'stale')
    return `${pc.yellow('stale')}  ${pc.bold(id)}\n  It does not fail any more: take it out of the baseline, which says: ${reason}`;
  return `${pc.red('failed')}  ${pc.bold(id)}  ${level}, ${section}\n  ${says}\n  ${(message ?? '').replaceAll('\n', '\n  ')}`;
}
