import { type Case, type CaseVerdict, cases, casesNamed, type Judgement, summaryOf } from '@spec/conformance';
import { pc } from '../colours.ts';

/** The cases of an id or a topic with what they require: as text, or as JSON. */
export function listCases({ only, json }: { readonly only?: string; readonly json?: boolean }): string {
  const chosen = casesNamed(cases, only);
  return json ? JSON.stringify(chosen.map(toData), null, 2) : chosen.map(toText).join('\n');
}

function toText({ id, level, section, says }: Case): string {
  return `${pc.bold(id)}  ${level}, ${section}\n  ${says}`;
}

/** What a case says of itself, without its function. */
function toData({ id, section, level, says, needs = [], hooks = [] }: Case) {
  return { id, section, level, says, needs, hooks };
}

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
