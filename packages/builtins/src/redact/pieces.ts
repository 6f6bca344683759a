import { setImmediate } from 'node:timers/promises';

/** Work that can pause wherever it yields. */
export type Pieces<T> = Generator<void, T, void>;

/** How long work goes on before the event loop gets its turn. */
const SLICE_MS = 8;
/** How many characters make a piece if the work on them is fast. */
const PIECE = 512;
/** The cost of looking at a value, besides its characters. */
const PER_VALUE = 16;

let charsInPiece = 0;

/** Counts searched characters. @returns whether it is time to yield: asking the clock after every word would cost more than the words */
export function fillsPiece(chars: number): boolean {
  charsInPiece += chars + PER_VALUE;
  if (charsInPiece < PIECE) return false;
  charsInPiece = 0;
  return true;
}

/** Does work without a pause. */
export function atOnce<T>(work: Pieces<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Does work with pauses in which the event loop runs timers, input and other threads. Work of a few milliseconds,
 * which is nearly all, has no pause.
 *
 * @param signal called after each pause; an abort of its signal ends the work
 */
export async function inPieces<T>(work: Pieces<T>, signal: () => AbortSignal | undefined): Promise<T> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await setImmediate();
    signal()?.throwIfAborted();
  }
}

/** Moves an offset that would split a character. */
export function atCharacter(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff && offset > 0 ? offset - 1 : offset;
}
