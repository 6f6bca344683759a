import pc from 'picocolors';
import { HookStatistics, type HookStats, hookTable } from '../hook-stats.ts';
import { formatCount, formatMs, heading } from '../table.ts';
import type { Replayed } from './replay-conversation.ts';

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
  readonly hooks: readonly HookStats[];
  readonly problems: readonly Problem[];
  readonly ms: number;
}

/** Adds up what a replay did. */
export class ReplayTally {
  readonly statistics: HookStatistics = new HookStatistics();
  readonly problems: Problem[] = [];
  readonly #counts = { replayed: 0, there: 0 };
  readonly #messages = { recorded: 0, stored: 0 };
  readonly #model = { calls: 0, characters: 0 };
  readonly #startedAt = performance.now();
  interrupted = false;

  get conversations(): number {
    return this.#counts.replayed + this.#counts.there;
  }

  add({ status, recorded, stored, modelCalls, sentToModel, runs }: Replayed): void {
    this.#counts[status]++;
    this.#messages.recorded += recorded;
    this.#messages.stored += stored;
    this.#model.calls += modelCalls;
    this.#model.characters += sentToModel;
    this.statistics.add(runs);
  }

  summary(input: string, db: string): ReplaySummary {
    return {
      input,
      db,
      interrupted: this.interrupted,
      conversations: { ...this.#counts, failed: this.problems.length },
      messages: this.#messages,
      model: this.#model,
      hooks: this.statistics.all,
      problems: this.problems,
      ms: performance.now() - this.#startedAt,
    };
  }
}

/** The summary as a person reads it. */
export function showSummary(summary: ReplaySummary, statistics: HookStatistics): string {
  const { conversations, messages, model, problems, ms, db, interrupted } = summary;
  const there = conversations.there === 0 ? '' : `, ${formatCount(conversations.there)} were there already`;
  const lines = [
    heading('What each hook did'),
    hookTable(statistics),
    heading('What the model saw'),
    `${formatCount(model.calls)} calls, ${formatCount(model.characters)} characters`,
    heading('What was stored', db),
    `${formatCount(messages.stored)} messages of ${formatCount(messages.recorded)} recorded`,
  ];
  if (problems.length > 0) lines.push(heading('What could not be replayed'), ...problems.map(problemLine));
  const mark = problems.length > 0 || interrupted ? pc.red('✗') : pc.green('✓');
  lines.push(
    `\n${mark} ${formatCount(conversations.replayed)} conversations replayed${there} in ${formatMs(ms)}.`,
  );
  if (interrupted) lines.push(`Interrupted. Run it again with --db ${db} to go on: what is done stays done.`);
  return lines.join('\n');
}

function problemLine({ place, id, reason }: Problem): string {
  return `${pc.red(place)}${id === undefined ? '' : ` (${id})`}: ${reason}`;
}
