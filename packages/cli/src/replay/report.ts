import { pc } from '../colours.ts';
import { type HookStatistics, hookTable } from '../hook-tally.ts';
import { printable } from '../printable.ts';
import { type Column, formatCount, formatMs, heading, renderTable, writeCount } from '../table.ts';
import { benchTable } from './bench.ts';
import { KNOWN_SHAPES } from './formats/shapes.ts';
import type { ReplayHooks } from './hooks-of.ts';
import { placeText } from './place.ts';
import type { FileSummary, Problem, ReplaySummary } from './tally.ts';

/** More problems, or files, than this are only counted, for a person. */
const SHOWN = 20;

/** The summary as a person reads it. */
export function showSummary(
  summary: ReplaySummary,
  statistics: HookStatistics,
  { named, carried }: Pick<ReplayHooks, 'named' | 'carried'>,
): string {
  const { db, interrupted, bench } = summary;
  return [
    ...fileLines(summary.files),
    ...(hasConversation(summary)
      ? [
          heading('What each hook did', named),
          hookTable(statistics, carried),
          ...(bench === undefined ? [] : [heading('How long each hook took'), benchTable(bench)]),
          ...flowLines(summary),
        ]
      : []),
    ...problemLines(summary.problems),
    ...shapeLines(summary),
    closingLine(summary, statistics),
    ...(interrupted ? [interruptedLine(db)] : []),
  ].join('\n');
}

function hasConversation({ conversations: { replayed, there, failed } }: ReplaySummary): boolean {
  return replayed + there + failed > 0;
}

function flowLines({ messages, model, db }: ReplaySummary): string[] {
  return [
    heading('What the model saw'),
    `${writeCount(model.calls, 'call')}, ${writeCount(model.characters, 'character')}`,
    heading('What was stored', db ?? 'in memory; --keep or --db <file> keeps it'),
    `${writeCount(messages.stored, 'message')} of ${formatCount(messages.recorded)} recorded`,
  ];
}

function interruptedLine(db: string | null): string {
  return db === null
    ? 'Interrupted. With --db <file> a replay can be run again to go on where it was.'
    : `Interrupted. Run it again with --db ${db} to go on: what is done stays done.`;
}

function problemLines(problems: readonly Problem[]): string[] {
  if (problems.length === 0) return [];
  const shown = problems
    .slice(0, SHOWN)
    .map(
      ({ id, reason, ...at }) =>
        `${pc.red(printable(placeText(at)))}${printable(`${id === undefined ? '' : ` (${id})`}: ${reason}`)}`,
    );
  return [heading('What could not be replayed'), ...shown, ...restLine(problems)];
}

/** Of files in which nothing could be read, where no problem says it yet. */
function shapeLines(summary: ReplaySummary): string[] {
  const isSaid = summary.problems.some(({ reason }) => reason.includes(KNOWN_SHAPES));
  return hasConversation(summary) || summary.interrupted || isSaid
    ? []
    : ['', `Known shapes are ${KNOWN_SHAPES}.`];
}

function restLine(all: readonly unknown[]): string[] {
  const rest = all.length - SHOWN;
  return rest > 0 ? [`… and ${formatCount(rest)} more: --json has all.`] : [];
}

const fileColumns: readonly Column[] = [
  { title: 'file' },
  { title: 'replayed', align: 'right' },
  { title: 'there already', align: 'right' },
  { title: 'messages', align: 'right' },
  { title: 'problems', align: 'right' },
];

function fileLines(files: readonly FileSummary[]): string[] {
  if (files.length < 2) return [];
  const rows = files
    .slice(0, SHOWN)
    .map(({ input, conversations: { replayed, there }, messages, problems }) => [
      input,
      ...[replayed, there, messages.stored].map(formatCount),
      problems > 0 ? pc.red(formatCount(problems)) : '0',
    ]);
  return [
    heading('What was read', writeCount(files.length, 'file')),
    renderTable(fileColumns, rows),
    ...restLine(files),
  ];
}

function closingLine(
  { conversations, problems, interrupted, ms }: ReplaySummary,
  { failures }: HookStatistics,
): string {
  const were = conversations.there === 1 ? 'was' : 'were';
  const there =
    conversations.there === 0 ? '' : `, ${formatCount(conversations.there)} ${were} there already`;
  const failed = failures === 0 ? '' : `, ${writeCount(failures, 'run')} of hooks did not succeed`;
  const mark = problems.length > 0 || failures > 0 || interrupted ? pc.red('✗') : pc.green('✓');
  return `\n${mark} ${writeCount(conversations.replayed, 'conversation')} replayed${there}${failed}, in ${formatMs(ms)}.`;
}
