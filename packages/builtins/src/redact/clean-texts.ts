import type { ThreadMemory } from './memory.ts';
import { digestText } from './threads.ts';

const MAX_TEXTS = 20_000;
/** A shorter text is redacted again faster than looked up. */
const SHORTEST = 100;

/**
 * Remembers by digest which texts held nothing to redact, so that no step searches the whole history again. A text is clean only
 * for its field: in a list of tool calls the ids and names stay, but in other fields the same text may not.
 */
export interface CleanTexts {
  has(text: string, field: string, memory: ThreadMemory): boolean;
  add(text: string, field: string, memory: ThreadMemory): void;
}

export function createCleanTexts(): CleanTexts {
  const known = new Set<string>();
  // A clean text becomes unclean when a new date of birth becomes known or a tool is given a value.
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
