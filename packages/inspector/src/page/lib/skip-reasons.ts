/** Why a hook did not run: a closed list, a sentence each. What was recorded names the clause, or the other hook. */
const reasons = {
  matcher: 'Its matcher does not fit the call.',
  condition: 'Its condition does not hold for the call.',
  decided: 'A hook before it had decided.',
  blocked: 'A hook before it failed, and what it guards was blocked.',
  same: 'Another entry has the same command, and ran for both.',
  thread: 'It is for other threads: subagents only, or none of them.',
  untrusted: 'Its file is not trusted, or cannot be read.',
  ended: 'The turn ended before it could begin.',
  other: 'It was passed over.',
} as const;

/** Of the list of reasons, one. */
export type SkipReason = keyof typeof reasons;

/** How what is recorded begins or ends, in the words of those who record it; the first that fits counts. */
const signs: readonly (readonly [sign: RegExp, reason: SkipReason])[] = [
  [/^the hook ".*" had denied$/s, 'decided'],
  [/^the hook ".*" had blocked the chain$/s, 'blocked'],
  [/ has the same handler$/, 'same'],
  [/^it is for (?:subagents|threads that are no subagents)$/, 'thread'],
  [/^its file does not run: |does not run: it is not trusted/, 'untrusted'],
  [/^the thread was aborted$|^no hook of the thread may begin any more$/, 'ended'],
  [/^(?:tools|commands|paths|types|fields|input): |^the matcher |does not match /, 'matcher'],
  [/^(?:the|its) conditions? |^if: /, 'condition'],
];

/** The reason in what was recorded of a run that was skipped. */
export function findSkipReason(why: string | undefined): SkipReason {
  return signs.find(([sign]) => sign.test(why ?? ''))?.[1] ?? 'other';
}

export function writeSkipReason(reason: SkipReason): string {
  return reasons[reason];
}

/** What it means that the ledger has no entry of a hook. */
export const noEntry = 'no entry: not in scope, no ledger, or pruned since';
