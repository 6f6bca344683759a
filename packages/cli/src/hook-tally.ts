import type { Outcome, RunRecord } from '@spec/hooks';
import { pc } from './colours.ts';
import { type Carried, leaveOutCarriers } from './project/carried.ts';
import { type Column, formatCount, formatMs, renderTable } from './table.ts';

/** What one hook did, over many runs. */
export interface HookTally {
  readonly hook: string;
  readonly id: string;
  readonly source: string;
  runs: number;
  changed: number;
  readonly outcomes: Partial<Record<Outcome, number>>;
  /** Milliseconds, over all runs. */
  ms: number;
}

/** Adds runs up by hook, in the order of their first run. */
export class HookStatistics {
  readonly #byHook = new Map<string, HookTally>();

  add(runs: readonly RunRecord[]): void {
    for (const run of runs) this.#addOne(run);
  }

  get all(): readonly HookTally[] {
    return [...this.#byHook.values()];
  }

  get failures(): number {
    return this.all.reduce((sum, { outcomes }) => sum + countFailures(outcomes), 0);
  }

  /** How many runs changed their subject, or denied or asked. */
  get interventions(): number {
    return this.all.reduce(
      (sum, { changed, outcomes: { denied = 0, asked = 0 } }) => sum + changed + denied + asked,
      0,
    );
  }

  #addOne({ hook, id, source, outcome, changed, ms }: RunRecord): void {
    const key = `${hook} ${id}`;
    const stats = this.#byHook.get(key) ?? { hook, id, source, runs: 0, changed: 0, outcomes: {}, ms: 0 };
    this.#byHook.set(key, stats);
    stats.runs++;
    stats.ms += ms;
    if (changed) stats.changed++;
    stats.outcomes[outcome] = (stats.outcomes[outcome] ?? 0) + 1;
  }
}

const failing: readonly Outcome[] = ['failed', 'timed_out', 'invalid_input', 'invalid_result', 'aborted'];
const notable: readonly Outcome[] = ['denied', 'asked', ...failing];

function countFailures(outcomes: HookTally['outcomes']): number {
  return failing.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0);
}

/** What a reader has to know beyond "ran" and "changed": `2 denied, 1 timed out`. */
function outcomesText(outcomes: HookTally['outcomes']): string {
  const parts = notable.flatMap((outcome) => {
    const count = outcomes[outcome] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${outcome.replace('_', ' ')}`];
  });
  const text = parts.join(', ');
  return countFailures(outcomes) > 0 ? pc.red(text) : text === '' ? pc.dim('ok') : pc.yellow(text);
}

/** The columns that each table of what hooks did begins with. */
export const tallyColumns: readonly Column[] = [
  { title: 'hook' },
  { title: 'id' },
  { title: 'runs', align: 'right' },
  { title: 'changed', align: 'right' },
  { title: 'outcomes' },
];

const columns: readonly Column[] = [
  ...tallyColumns,
  { title: 'time', align: 'right' },
  { title: 'per run', align: 'right' },
];

/** The table "what each hook did". */
export function hookTable(statistics: HookStatistics, carried: Carried): string {
  const rows = leaveOutCarriers(statistics.all, carried).map(({ hook, id, runs, changed, outcomes, ms }) => [
    pc.dim(hook),
    id,
    formatCount(runs),
    changed > 0 ? pc.green(formatCount(changed)) : '0',
    outcomesText(outcomes),
    formatMs(ms),
    formatMs(ms / runs),
  ]);
  return rows.length === 0 ? pc.dim('No hook ran.') : renderTable(columns, rows);
}
