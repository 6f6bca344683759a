import type { Outcome } from '@spec/hooks';

/** How a run can end. */
const outcomes: Readonly<Record<Outcome, true>> = {
  ok: true,
  changed: true,
  denied: true,
  asked: true,
  failed: true,
  timed_out: true,
  aborted: true,
  invalid_input: true,
  invalid_result: true,
  skipped: true,
};

/** The names of {@link Outcome}, for `--outcome`. */
export const outcomeNames: readonly string[] = Object.keys(outcomes);

/** Every name that a value can be, by the word that stands for it in the commands' usage: `--event <event>`. */
export type ValueNames = Readonly<Record<string, readonly string[]>>;

/** The names that shells complete: those that the commands themselves know. */
export async function valueNames(): Promise<ValueNames> {
  // Loaded here, so that --help does not wait for it.
  const [{ knownEvents }, { hookNames }] = await Promise.all([
    import('./event/event-of.ts'),
    import('./wrong-usage.ts'),
  ]);
  return { event: knownEvents, hook: hookNames, outcome: outcomeNames };
}
