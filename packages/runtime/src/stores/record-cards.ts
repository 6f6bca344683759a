import type {
  EndMark,
  MessageCard,
  Outcome,
  RecordedRun,
  SearchHit,
  SearchQuery,
  ThreadCard,
  TurnCard,
  TurnMark,
} from '@spec/hooks';
import type { LedgerEntry, StoredMessage, ThreadRecord } from './store.ts';

/** Builds the card of a turn from runs and marks, added one by one in any order. */
export class TurnSum {
  readonly turnId: string;
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;
  #end: EndMark | null = null;
  #runs = 0;
  #changed = 0;
  readonly #outcomes: Partial<Record<Outcome, number>> = {};
  readonly #marks = { model: 0, tool: 0, ask: 0, end: 0 };

  constructor(turnId: string) {
    this.turnId = turnId;
  }

  addRun({ at, ms, changed, outcome }: Pick<RecordedRun, 'at' | 'ms' | 'changed' | 'outcome'>): void {
    this.#runs++;
    if (changed) this.#changed++;
    this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
    this.#spread(at, ms);
  }

  addMark(mark: TurnMark): void {
    this.#marks[mark.kind]++;
    if (mark.kind === 'end' && mark.at >= (this.#end?.at ?? 0)) this.#end = mark;
    this.#spread(mark.at, mark.ms);
  }

  /** @param at when it ended */
  #spread(at: number, ms: number): void {
    this.#from = Math.min(this.#from, at - Math.round(ms * 1_000));
    this.#to = Math.max(this.#to, at);
  }

  card(): TurnCard {
    return {
      turnId: this.turnId,
      from: this.#from,
      to: this.#to,
      end: this.#end,
      runs: this.#runs,
      changed: this.#changed,
      outcomes: { ...this.#outcomes },
      modelCalls: this.#marks.model,
      toolCalls: this.#marks.tool,
    };
  }
}

/** Finds a text in a message; `undefined` if it is not there. A to Z equal a to z. */
export function findInMessage(
  message: StoredMessage,
  threadId: string,
  { text, clip }: Pick<SearchQuery, 'text' | 'clip'>,
): SearchHit | undefined {
  const { id: messageId, role, created_at: createdAt, content, tool_calls: calls } = message;
  for (const [field, value] of [
    ['content', content],
    ['toolCalls', calls],
  ] as const) {
    const place = lower(value ?? '').indexOf(lower(text));
    if (place < 0) continue;
    const from = Math.max(0, place - Math.max(0, Math.floor((clip - text.length) / 2)));
    const excerpt = (value ?? '').slice(from, from + clip);
    return { threadId, messageId, role, createdAt, field, excerpt, at: place - from };
  }
  return undefined;
}

function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A thread in the form of lists. */
export function makeThreadCard({ turn, ...thread }: ThreadRecord): ThreadCard {
  const { id, agentId, userId, parentId, depth, createdAt, terminated } = thread;
  return { id, agentId, userId, parentId, depth, createdAt, terminated, turnId: turn?.id ?? null };
}

/** A message in the form of lists, with texts of at most so many characters. */
export function makeMessageCard(message: StoredMessage, clip: number): MessageCard {
  const { id, role, created_at: createdAt, content, tool_calls: calls = null } = message;
  return {
    id,
    role,
    createdAt,
    content: content?.slice(0, clip) ?? null,
    contentSize: content?.length ?? 0,
    toolCalls: calls?.slice(0, clip) ?? null,
    toolCallsSize: calls?.length ?? 0,
    toolCallId: message.tool_call_id ?? null,
    name: message.name ?? null,
  };
}

/** A run in the form of lists. */
export function withoutValues({ values: _, ...run }: LedgerEntry): RecordedRun {
  return run;
}
