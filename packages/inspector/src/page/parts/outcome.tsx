import type { Outcome } from '@spec/hooks';
import type { JSX } from 'preact';
import { showControls } from '../lib/texts.ts';

interface Look {
  readonly word: string;
  readonly tone: 'quiet' | 'good' | 'warm' | 'bad' | 'cool';
  /** Drawn in a box of 12 by 12. */
  readonly path: string;
}

/** How each outcome is shown: a word, and a sign beside it. */
const looks: Readonly<Record<Outcome, Look>> = {
  ok: { word: 'ok', tone: 'good', path: 'M2.5 6.5 5 9l4.5-6' },
  changed: { word: 'changed', tone: 'warm', path: 'M2.5 9.5 3 7.2 8.2 2l1.8 1.8L4.8 9l-2.3.5ZM7 3.2 8.8 5' },
  denied: { word: 'denied', tone: 'bad', path: 'M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM3.6 6h4.8' },
  asked: { word: 'asked', tone: 'cool', path: 'M4 4.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.3M6 9.6v.1' },
  failed: { word: 'failed', tone: 'bad', path: 'M3 3l6 6M9 3 3 9' },
  timed_out: {
    word: 'timed out',
    tone: 'bad',
    path: 'M6 2.7a3.9 3.9 0 1 1 0 7.8 3.9 3.9 0 0 1 0-7.8ZM6 4.6v2l1.3.9M4.6 1h2.8',
  },
  aborted: {
    word: 'aborted',
    tone: 'quiet',
    path: 'M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM9.1 2.9 2.9 9.1',
  },
  invalid_input: { word: 'invalid input', tone: 'bad', path: 'M3 3l6 6M9 3 3 9' },
  invalid_result: { word: 'invalid result', tone: 'bad', path: 'M3 3l6 6M9 3 3 9' },
  skipped: {
    word: 'skipped',
    tone: 'quiet',
    path: 'M6 2.2a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 0 1 0-7.6ZM10 2 2 10',
  },
};

export const outcomes = Object.keys(looks) as Outcome[];

export function writeOutcome(outcome: Outcome): string {
  return findLook(outcome)?.word ?? showControls(outcome);
}

/** What the ledger has may be of another version. */
function findLook(outcome: Outcome): Look | undefined {
  return Object.hasOwn(looks, outcome) ? looks[outcome] : undefined;
}

/** The sign alone; its word stands beside it or in the name of the link. */
export function OutcomeSign({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  const { path, tone } = findLook(outcome) ?? looks.failed;
  return (
    <svg class={`sign ${tone}`} viewBox="0 0 12 12" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

interface OutcomeWordProps {
  readonly outcome: Outcome;
  /** Another one, such as for an answer of a person. */
  readonly word?: string;
}

/** The sign and its word. */
export function OutcomeWord({ outcome, word }: OutcomeWordProps): JSX.Element {
  const look = findLook(outcome) ?? looks.failed;
  return (
    <span class={`outcome ${look.tone}`}>
      <OutcomeSign outcome={outcome} />
      {word ?? writeOutcome(outcome)}
    </span>
  );
}

/** How many runs ended how, what is usual left out. */
export function OutcomeCounts({
  counts,
}: {
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
}): JSX.Element {
  const told = outcomes.filter((outcome) => outcome !== 'ok' && (counts[outcome] ?? 0) > 0);
  return (
    <span class="counts">
      {told.map((outcome) => (
        <span key={outcome} class="count" title={writeOutcome(outcome)}>
          <OutcomeSign outcome={outcome} />
          {counts[outcome]}
          <span class="count-word"> {writeOutcome(outcome)}</span>
        </span>
      ))}
    </span>
  );
}
