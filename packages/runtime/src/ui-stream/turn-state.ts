import { FamilyAsks } from './family-asks.ts';
import { lastAnswerIn } from './history.ts';
import type { UIMessageStreamOptions } from './options.ts';
import { PageCalls } from './page-calls.ts';

/** What is known of a turn on its way to a front end, and what the front end has of it. */
export interface TurnState {
  readonly options: UIMessageStreamOptions;
  phase: 'waiting' | 'running' | 'over';
  hasStarted: boolean;
  threadId: string | undefined;
  /** Its id, once an event has told it. */
  turnId: string | undefined;
  /** A turn that runs meanwhile. */
  otherTurn: string | undefined;
  /** The id of the message whose text is under way. */
  openText: string | undefined;
  /** The id of the reasoning that is under way. */
  openReasoning: string | undefined;
  isInStep: boolean;
  /** The text that was sent, by the id of its message. */
  readonly told: Map<string, string>;
  /** The ids of the messages that the page had before. */
  readonly known: ReadonlySet<string>;
  readonly calls: PageCalls;
  readonly asks: FamilyAsks;
  /** What the person is to read, not sent yet. */
  readonly notices: string[];
}

/** The state before the first event. A page that knows of a call without a result has joined a turn that runs. */
export function startState(options: UIMessageStreamOptions): TurnState {
  const { known = [] } = options;
  const shown = lastAnswerIn(known);
  const calls = new PageCalls(shown);
  return {
    options,
    phase: options.turnId === undefined && calls.hasUnanswered ? 'running' : 'waiting',
    hasStarted: false,
    threadId: options.threadId,
    turnId: undefined,
    otherTurn: undefined,
    openText: undefined,
    openReasoning: undefined,
    isInStep: false,
    told: new Map(
      shown.flatMap(({ id, role, content }) => (role === 'assistant' ? [[id, content ?? '']] : [])),
    ),
    known: new Set(known.map(({ id }) => id)),
    calls,
    asks: new FamilyAsks(),
    notices: [],
  };
}
