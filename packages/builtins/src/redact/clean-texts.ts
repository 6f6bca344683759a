import type { ThreadMemory } from './memory.ts';
import { digestText } from './threads.ts';

const MAX_TEXTS = 20_000;
/** A shorter text is redacted again faster than it is looked up. */
const SHORTEST = 100;

/**
 * Remembers by digest which texts held nothing to redact, so that a history is not searched again at every step. A text is clean
 * for the field it stood in: of a list of tool calls the ids and names stay, which nothing else may hold.
 */
export interface CleanTexts {
  has(text: string, field: string, memory: ThreadMemory): boolean;
  add(text: string, field: string, memory: ThreadMemory): void;
}

export function createCleanTexts(): CleanTexts {
  const known = new Set<string>();
  // A date of birth that becomes known later, or a value given to a tool, makes a text unclean that was clean before it.
  const makeKey = (text: string, field: string, { writer, birthDates, vault }: ThreadMemory): string =>
    `${writer}:${field}:${birthDates}:${vault?.outCount ?? 0}:${digestText(text)}`;
  return {
    has: (text, field, memory) => text.length >= SHORTEST && known.has(makeKey(text, field, memory)),
    add(text, field, memory) {
      if (text.length < SHORTEST) return;
      known.add(makeKey(text, field, memory));
      if (known.size > MAX_TEXTS) known.delete(known.values().next().value as string);
    },
  };
}
