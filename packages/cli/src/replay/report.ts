import pc from 'picocolors';
import { HookStatistics, type HookStats, hookTable } from '../hook-stats.ts';
import { countOf, formatCount, formatMs, heading } from '../table.ts';
import { Bench, benchTable, type HookTimes } from './bench.ts';
import type { Replayed } from './replay-conversation.ts';
import type { ConversationChanges } from './show-changes.ts';

/** Something in the input that could not be replayed. */
export interface Problem {
  /** Such as `line 12`. */
  readonly place: string;
  readonly id?: string;
  readonly reason: string;
}

/** What `--json` prints. */
export interface ReplaySummary {
  readonly input: string;
  readonly db: string;
  readonly interrupted: boolean;
  readonly conversations: { readonly replayed: number; readonly there: number; readonly failed: number };
  readonly messages: { readonly recorded: number; readonly stored: number };
  readonly model: { readonly calls: number; readonly characters: number };
  /** Where the hooks are from; `null`: they are the command's own. */
  readonly hooksFrom: string | null;
  readonly hooks: readonly HookStats[];
  readonly problems: readonly Problem[];
  readonly ms: number;
  /** With `--bench`. */
  readonly bench?: readonly HookTimes[];
  /** With `--diff`: the values are data. */
  readonly changes?: readonly ConversationChanges[];
}

/** Adds up what a replay did. */
export class ReplayTally {
  readonly statistics: HookStatistics = new HookStatistics();
  readonly bench: Bench = new Bench();
  readonly problems: Problem[] = [];
  readonly #counts = { replayed: 0, there: 0, failed: 0 };
  readonly #ids = new Set<string>();
  readonly #messages = { recorded: 0, stored: 0 };
  readonly #model = { calls: 0, characters: 0 };
  readonly #startedAt = performance.now();
  interrupted = false;

  /** How many conversations were looked at. */
  get conversations(): number {
    return this.#counts.replayed + this.#counts.there + this.#counts.failed;
  }

  add(place: string, replayed: Replayed): void {
    const { id, status, reason, runs } = replayed;
    this.#counts[status]++;
    if (reason !== undefined) this.problems.push({ place, id, reason });
    if (!this.#ids.has(id)) this.#addMessages(replayed);
    this.#ids.add(id);
    this.statistics.add(runs);
    this.bench.add(runs);
  }

  #addMessages({ recorded, stored, modelCalls, sentToModel }: Replayed): void {
    this.#messages.recorded += recorded;
    this.#messages.stored += stored;
    this.#model.calls += modelCalls;
    this.#model.characters += sentToModel;
  }

  summary({ input, db, hooksFrom }: Pick<ReplaySummary, 'input' | 'db' | 'hooksFrom'>): ReplaySummary {
    return {
      input,
      db,
      hooksFrom,
      interrupted: this.interrupted,
      conversations: { ...this.#counts },
      messages: this.#messages,
      model: this.#model,
      hooks: this.statistics.all,
      problems: this.problems,
      ms: performance.now() - this.#startedAt,
    };
  }
}

/** More problems than this are only counted, for a person. */
const SHOWN_PROBLEMS = 20;

/** The summary as a person reads it. */
export function showSummary(summary: ReplaySummary, statistics: HookStatistics): string {
  const { messages, model, db, interrupted, hooksFrom, bench } = summary;
  return [
    heading('What each hook did', hooksFrom === null ? '' : `hooks of ${hooksFrom}`),
    hookTable(statistics),
    ...(bench === undefined ? [] : [heading('How long each hook took'), benchTable(bench)]),
    heading('What the model saw'),
    `${countOf(model.calls, 'call')}, ${countOf(model.characters, 'character')}`,
    heading('What was stored', db),
    `${countOf(messages.stored, 'message')} of ${formatCount(messages.recorded)} recorded`,
    ...problemLines(summary.problems),
    closingLine(summary, statistics),
    ...(interrupted ? [`Interrupted. Run it again with --db ${db} to go on: what is done stays done.`] : []),
  ].join('\n');
}

function problemLines(problems: readonly Problem[]): string[] {
  if (problems.length === 0) return [];
  const shown = problems
    .slice(0, SHOWN_PROBLEMS)
    .map(({ place, id, reason }) => `${pc.red(place)}${id === undefined ? '' : ` (${id})`}: ${reason}`);
  const rest = problems.length - shown.length;
  return [
    heading('What could not be replayed'),
    ...shown,
    ...(rest > 0 ? [`… and ${formatCount(rest)} more: --json has all.`] : []),
  ];
}

function closingLine(
  { conversations, problems, interrupted, ms }: ReplaySummary,
  { failures }: HookStatistics,
): string {
  const there = conversations.there === 0 ? '' : `, ${formatCount(conversations.there)} were there already`;
  const failed = failures === 0 ? '' : `, ${countOf(failures, 'run')} of hooks did not succeed`;
  const mark = problems.length > 0 || failures > 0 || interrupted ? pc.red('✗') : pc.green('✓');
  return `\n${mark} ${countOf(conversations.replayed, 'conversation')} replayed${there}${failed}, in ${formatMs(ms)}.`;
}
