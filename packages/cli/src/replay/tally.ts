import { HookStatistics, type HookTally } from '../hook-tally.ts';
import { Bench, type HookTimes } from './bench.ts';
import type { InputPosition } from './place.ts';
import type { Replayed } from './replay-conversation.ts';
import type { ConversationChanges } from './show-changes.ts';

/** Something in the input that could not be replayed. */
export interface Problem extends InputPosition {
  readonly id?: string;
  readonly reason: string;
}

/** What became of conversations and messages. */
export interface Counts {
  readonly conversations: { readonly replayed: number; readonly there: number; readonly failed: number };
  readonly messages: { readonly recorded: number; readonly stored: number };
}

/** What came of one file. */
export interface FileSummary extends Counts {
  readonly input: string;
  /** How many. */
  readonly problems: number;
}

/** What `--json` prints. */
export interface ReplaySummary extends Counts {
  /** The names of all files. */
  readonly input: string;
  readonly files: readonly FileSummary[];
  /** `null`: what was stored is gone. */
  readonly db: string | null;
  readonly interrupted: boolean;
  readonly model: { readonly calls: number; readonly characters: number };
  /** Where the hooks are from; `null`: they are the command's own. */
  readonly hooksFrom: string | null;
  readonly hooks: readonly HookTally[];
  readonly problems: readonly Problem[];
  readonly ms: number;
  /** With `--bench`. */
  readonly bench?: readonly HookTimes[];
  /** With `--diff`: the values are data. */
  readonly changes?: readonly ConversationChanges[];
}

interface FileTally {
  readonly input: string;
  readonly conversations: { replayed: number; there: number; failed: number };
  readonly messages: { recorded: number; stored: number };
  problems: number;
}

/** Adds up what a replay did, file by file. */
export class ReplayTally {
  readonly statistics: HookStatistics = new HookStatistics();
  readonly bench: Bench = new Bench();
  readonly problems: Problem[] = [];
  readonly #files: readonly FileTally[];
  readonly #ids = new Set<string>();
  readonly #model = { calls: 0, characters: 0 };
  readonly #startedAt = performance.now();
  #at = -1;
  #conversations = 0;
  interrupted = false;

  /** @param inputs the names of the files, in their order */
  constructor(inputs: readonly string[]) {
    this.#files = inputs.map((input) => ({
      input,
      conversations: { replayed: 0, there: 0, failed: 0 },
      messages: { recorded: 0, stored: 0 },
      problems: 0,
    }));
  }

  /** How many conversations were looked at. */
  get conversations(): number {
    return this.#conversations;
  }

  get isOfSeveral(): boolean {
    return this.#files.length > 1;
  }

  /** What is added from now on is of the next file. */
  nextFile(): void {
    this.#at++;
  }

  /** A place in the file under way. */
  locate(place: string): InputPosition {
    return this.isOfSeveral ? { input: this.#file.input, place } : { place };
  }

  note(problem: Omit<Problem, 'input'>): void {
    this.problems.push({ ...problem, ...this.locate(problem.place) });
    this.#file.problems++;
  }

  add(place: string, replayed: Replayed): void {
    const { id, status, reason, runs } = replayed;
    this.#conversations++;
    this.#file.conversations[status]++;
    if (reason !== undefined) this.note({ place, id, reason });
    if (!this.#ids.has(id)) this.#addMessages(replayed);
    this.#ids.add(id);
    this.statistics.add(runs);
    this.bench.add(runs);
  }

  get #file(): FileTally {
    return this.#files[this.#at] as FileTally;
  }

  #addMessages({ recorded, stored, modelCalls, sentToModel }: Replayed): void {
    this.#file.messages.recorded += recorded;
    this.#file.messages.stored += stored;
    this.#model.calls += modelCalls;
    this.#model.characters += sentToModel;
  }

  summary({ input, db, hooksFrom }: Pick<ReplaySummary, 'input' | 'db' | 'hooksFrom'>): ReplaySummary {
    return {
      input,
      files: this.#files,
      db,
      hooksFrom,
      interrupted: this.interrupted,
      ...addCounts(this.#files),
      model: this.#model,
      hooks: this.statistics.all,
      problems: this.problems,
      ms: performance.now() - this.#startedAt,
    };
  }
}

function addCounts(files: readonly Counts[]): Counts {
  const sum = (count: (file: Counts) => number): number =>
    files.reduce((total, file) => total + count(file), 0);
  return {
    conversations: {
      replayed: sum(({ conversations }) => conversations.replayed),
      there: sum(({ conversations }) => conversations.there),
      failed: sum(({ conversations }) => conversations.failed),
    },
    messages: {
      recorded: sum(({ messages }) => messages.recorded),
      stored: sum(({ messages }) => messages.stored),
    },
  };
}
