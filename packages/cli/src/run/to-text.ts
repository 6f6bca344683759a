import { lifecycleTable, type Outcome, type RunRecord } from '@spec/hooks';
import pc from 'picocolors';
import type { Fired } from '../event/fired.ts';
import { type Column, countOf, formatMs, heading, renderTable } from '../table.ts';

/** What came of an event, for a person at a terminal. */
export function toText(fired: Fired, event: string): string {
  const { reason, userMessage, input, context, result, runs, error } = fired;
  return [
    headline(fired, event),
    ...(reason === null || error !== undefined ? [] : [field('reason', reason)]),
    ...(userMessage === null ? [] : [field('for the person', userMessage)]),
    ...(input === null ? [] : [field('rewritten input', written(input))]),
    ...context.map((text) => field('context', text)),
    ...(result === null ? [] : [field('result', written(result))]),
    ...(runs.length === 0 ? [] : [heading('Runs', countOf(runs.length, 'run')), runTable(runs)]),
  ].join('\n');
}

function headline(fired: Fired, event: string): string {
  const { hook, decision, runs, error } = fired;
  const by = deciderOf(fired);
  const what = event === hook ? hook : `${event} (${hook})`;
  if (error !== undefined) return `${pc.red('✗ failed')}  ${what}\n${error.message}`;
  if (runs.length === 0) return `${pc.dim('–')} ${what}: no hook is for it.`;
  const who = by === null ? '' : ` by ${pc.bold(by)}`;
  if (decision === 'deny')
    return `${hook === 'before_stop' ? pc.yellow('↻ kept going') : pc.red('✗ denied')}${who}  ${what}`;
  if (decision === 'ask') return `${pc.yellow('? a person is asked')}${who}  ${what}`;
  if (decision === 'allow') return `${pc.green('✓ allowed')}${who}  ${what}`;
  const isDecided = lifecycleTable[hook].kind === 'decide';
  return `${pc.green('✓')} ${what}: ${isDecided ? 'no hook has an opinion, it goes ahead.' : 'done.'}`;
}

/** Who decided: of a file's entries or rules the one, not the hook that runs them all. */
function deciderOf({ by, runs }: Fired): string | null {
  const at = runs.findLastIndex(({ id }) => id === by);
  const outcome = runs[at]?.outcome;
  if (outcome !== 'denied' && outcome !== 'asked') return by;
  return runs.slice(0, at).findLast((run) => run.outcome === outcome)?.id ?? by;
}

function field(name: string, text: string): string {
  return `${pc.cyan(`${name}:`)} ${text.includes('\n') ? `\n  ${text.replaceAll('\n', '\n  ')}` : text}`;
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

const columns: readonly Column[] = [
  { title: 'id' },
  { title: 'hook' },
  { title: 'outcome' },
  { title: 'time', align: 'right' },
  { title: 'source' },
  { title: 'why' },
];

function runTable(runs: readonly RunRecord[]): string {
  const rows = runs.map(({ id, hook, outcome, ms, source, why = '' }) => [
    pc.bold(id),
    pc.dim(hook),
    outcomeText(outcome),
    formatMs(ms),
    source,
    why,
  ]);
  return renderTable(columns, rows);
}

/** An outcome in the colour of what it means. */
export function outcomeText(outcome: Outcome): string {
  if (outcome === 'ok') return pc.green(outcome);
  if (outcome === 'skipped') return pc.dim(outcome);
  const text = outcome.replace('_', ' ');
  return outcome === 'changed' ? pc.green(text) : outcome === 'asked' ? pc.yellow(text) : pc.red(text);
}
