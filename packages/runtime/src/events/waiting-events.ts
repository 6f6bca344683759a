import type { EventOf, ThreadEvent } from './thread-event.ts';

/** So many events wait for a slow listener; then the oldest are dropped. */
const MAX_WAITING = 10_000;
/** When so many wait, pieces of one text are joined, so that a long answer alone drops nothing. */
const JOIN_FROM = 1_000;

/** The events that wait for one listener, bounded. */
export class WaitingEvents {
  #events: ThreadEvent[] = [];
  #dropped = 0;

  add(event: ThreadEvent): void {
    if (this.#events.length >= JOIN_FROM && this.#join(event)) return;
    this.#events.push(event);
    if (this.#events.length <= MAX_WAITING) return;
    this.#events.shift();
    this.#dropped++;
  }

  #join(event: ThreadEvent): boolean {
    const last = this.#events.at(-1);
    if (last === undefined || !isPiece(event) || !isPiece(last) || !isSamePart(last, event)) return false;
    this.#events[this.#events.length - 1] = { ...last, text: last.text + event.text };
    return true;
  }

  /** The oldest event; before it, how many were dropped. */
  take(): ThreadEvent | undefined {
    if (this.#dropped === 0) return this.#events.shift();
    const count = this.#dropped;
    this.#dropped = 0;
    return { type: 'events_dropped', count };
  }

  clear(): void {
    this.#events = [];
    this.#dropped = 0;
  }
}

type Piece = EventOf<'text' | 'reasoning'>;

function isPiece(event: ThreadEvent): event is Piece {
  return event.type === 'text' || event.type === 'reasoning';
}

function isSamePart(one: Piece, other: Piece): boolean {
  return one.messageId === other.messageId && readPartId(one) === readPartId(other);
}

/** The text of an answer is its one part without an id. */
function readPartId(piece: Piece): string | undefined {
  return piece.type === 'reasoning' ? piece.partId : undefined;
}
