import { type LifecycleName, lifecycleRow } from '@spec/hooks';
import { pc } from '../colours.ts';
import { writeParagraph } from '../paragraph.ts';
import { printable } from '../printable.ts';
import type { KnownHook } from '../project/known-hooks.ts';
import type { NotLoaded, SwitchedOff } from '../project/lost-entries.ts';
import type { UnreadSettings } from '../project/unread-settings.ts';
import { type Column, heading, renderTable, writeCount } from '../table.ts';
import type { Combination } from './combination.ts';

/** A hook as it is shown. */
export interface ExplainedHook extends Pick<KnownHook, 'id' | 'hook' | 'from' | 'source' | 'onError'> {
  /** `null`: only running it would tell. */
  readonly runs: boolean | null;
  /** The clause that decides. */
  readonly why: string;
  /** What it makes of the event for certain, as the input stands. */
  readonly decision: Combination['decision'];
}

/** What would come of an event. */
export interface Explanation {
  readonly event: string;
  readonly hook: LifecycleName;
  readonly hooks: readonly ExplainedHook[];
  readonly combination: Combination;
  /** Entries of settings files that are wrong, and so do not run. */
  readonly notLoaded: readonly NotLoaded[];
  readonly switchedOff: readonly SwitchedOff[];
  readonly notRead: readonly UnreadSettings[];
}

const columns: readonly Column[] = [
  { title: 'runs' },
  { title: 'id' },
  { title: 'source' },
  { title: 'on error' },
  { title: 'why' },
];

interface Shown {
  /** Also the hooks of other events. */
  readonly all: boolean;
  /** Who decides where nobody does before. */
  readonly atLatest: string | null;
}

/** Which hooks would run, for a person at a terminal. */
export function renderExplanation(
  { event, hook, hooks, combination, notLoaded }: Explanation,
  { all, atLatest }: Shown,
): string {
  const shown = all ? hooks : hooks.filter((one) => one.hook === hook || one.runs !== false);
  const others = hooks.length - shown.length;
  const title = heading(event === hook ? hook : `${event} (${hook})`, combination.kind).trimStart();
  return [
    shown.length === 0
      ? `${title}\nNo hook is for it.`
      : `${title}\n${renderTable(columns, shown.map(makeRow))}`,
    ...notLoaded.map(({ source, message }) =>
      writeParagraph(`${pc.yellow('not loaded')} ${printable(`${source}: ${message}`)}`),
    ),
    ...(others === 0 ? [] : [pc.dim(`${writeCount(others, 'hook')} of other events: --all lists them.`)]),
    ...(shown.length === 0 ? [] : [`\n${writeParagraph(combination.how)}`]),
    ...certainLines(combination, hook, atLatest).map((line) => writeParagraph(line)),
  ].join('\n');
}

function certainLines(
  { decision, by, reason }: Combination,
  hook: LifecycleName,
  atLatest: string | null,
): string[] {
  if (decision === null) return [];
  const what =
    decision === 'deny' && lifecycleRow(hook).decide?.keepsGoing
      ? pc.yellow('keeps the turn going')
      : words[decision];
  const who = pc.bold(printable(by ?? atLatest ?? ''));
  const line = `As the input stands, ${who} ${what}${by === null ? ', if no hook before it does' : ''}.`;
  return reason === null ? [line] : [line, `${pc.cyan('reason:')} ${printable(reason)}`];
}

const words: Readonly<Record<NonNullable<Combination['decision']>, string>> = {
  allow: `makes it ${pc.green('allowed')}`,
  deny: `makes it ${pc.red('denied')}`,
  ask: `has ${pc.yellow('a person asked')}`,
};

function makeRow({ id, runs, source, onError, why }: ExplainedHook): string[] {
  return [
    runs === null ? pc.yellow('maybe') : runs ? pc.green('yes') : pc.dim('no'),
    pc.bold(printable(id)),
    printable(source ?? '-'),
    onError,
    printable(why),
  ];
}
