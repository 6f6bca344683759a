import { lifecycleRow, lifecycleTable, type Outcome, type RunRecord } from '@spec/hooks';
import { pc } from '../colours.ts';
import type { Fired } from '../event/fired.ts';
import { writeParagraph } from '../paragraph.ts';
import { printable } from '../printable.ts';
import { type Column, formatMs, heading, renderTable, writeCount } from '../table.ts';

/** What came of an event, for a person at a terminal. */
export function renderFired(fired: Fired, event: string): string {
  const { reason, userMessage, input, context, result, shown, thrown, error } = fired;
  return [
    headline(fired, event),
    ...(reason === null || error !== undefined ? [] : [field('reason', reason)]),
    ...(userMessage === null ? [] : [field('for the person', userMessage)]),
    ...(input === null ? [] : [field('rewritten input', written(input))]),
    ...context.map((text) => field('context', text)),
    ...(result === null ? [] : [field('result', written(result))]),
    ...thrown.map(({ id, error: what }) => field(`${id} threw`, writeThrown(what))),
    ...(shown.length === 0 ? [] : [heading('Runs', writeCount(shown.length, 'run')), runTable(shown)]),
  ].join('\n');
}

function headline(fired: Fired, event: string): string {
  const { hook, decision, decider: by, runs, error } = fired;
  const what = event === hook ? hook : `${event} (${hook})`;
  if (error !== undefined) return `${pc.red('✗ failed')}  ${what}\n${printable(error.message)}`;
  if (runs.length === 0) return `${pc.dim('–')} ${what}: no hook is for it.`;
  const who = by === null ? '' : ` by ${pc.bold(printable(by))}`;
  if (decision === 'deny')
    return `${lifecycleRow(hook).decide?.keepsGoing ? pc.yellow('↻ kept going') : pc.red('✗ denied')}${who}  ${what}`;
  if (decision === 'ask') return `${pc.yellow('? a person is asked')}${who}  ${what}`;
  if (decision === 'allow') return `${pc.green('✓ allowed')}${who}  ${what}`;
  const isDecided = lifecycleTable[hook].kind === 'decide';
  return `${pc.green('✓')} ${what}: ${isDecided ? 'no hook has an opinion, it goes ahead.' : 'done.'}`;
}

function field(name: string, given: string): string {
  const text = printable(given);
  return writeParagraph(
    `${pc.cyan(`${name}:`)} ${text.includes('\n') ? `\n  ${text.replaceAll('\n', '\n  ')}` : text}`,
  );
}

function writeThrown(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
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
    pc.bold(printable(id)),
    pc.dim(hook),
    outcomeText(outcome),
    formatMs(ms),
    printable(source),
    printable(why),
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
