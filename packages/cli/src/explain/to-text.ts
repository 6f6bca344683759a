import pc from 'picocolors';
import { type Column, countOf, heading, renderTable } from '../table.ts';
import type { Combination } from './combination.ts';
import type { Explained } from './explained.ts';

export interface Explanation {
  readonly event: string;
  readonly hook: string;
  readonly hooks: readonly Explained[];
  readonly combination: Combination;
}

const columns: readonly Column[] = [
  { title: 'runs' },
  { title: 'id' },
  { title: 'source' },
  { title: 'on error' },
  { title: 'why' },
];

/** Which hooks would run, for a person at a terminal. */
export function toText({ event, hook, hooks, combination }: Explanation, all: boolean): string {
  const shown = all ? hooks : hooks.filter((one) => one.hook === hook || one.runs !== false);
  const others = hooks.length - shown.length;
  const { how, decision, by } = combination;
  const title = heading(event === hook ? hook : `${event} (${hook})`, combination.kind).trimStart();
  return [
    shown.length === 0
      ? `${title}\nNo hook is for it.`
      : `${title}\n${renderTable(columns, shown.map(rowOf))}`,
    ...(others === 0 ? [] : [pc.dim(`${countOf(others, 'hook')} of other events: --all lists them.`)]),
    ...(shown.length === 0 ? [] : [`\n${how}`]),
    ...(decision === null
      ? []
      : [`As the input stands, ${pc.bold(String(by))} makes it ${certainty(decision)}.`]),
  ].join('\n');
}

function certainty(decision: 'allow' | 'deny'): string {
  return decision === 'deny' ? pc.red('denied') : pc.green('allowed');
}

function rowOf({ id, runs, source, onError, why }: Explained): string[] {
  return [
    runs === null ? pc.yellow('maybe') : runs ? pc.green('yes') : pc.dim('no'),
    pc.bold(id),
    source ?? '-',
    onError,
    why,
  ];
}
