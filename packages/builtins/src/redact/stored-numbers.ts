import { type HookMessage, RunError, type ThreadState } from '@spec/hooks';
import { MAX_RESERVED } from './memory.ts';
import { fillsPiece, inPieces, type Pieces } from './pieces.ts';
import type { Placeholders } from './placeholders.ts';

/** How many of the newest messages are looked at. */
const MAX_MESSAGES = 10_000;

/**
 * The highest numbers, by label, of the placeholders in the messages of a thread for which nothing is kept: those of a child thread count
 * in its parent, and it may have been exported for itself. Their values are not known here, and no other value may get their numbers.
 */
export async function readStoredNumbers(
  state: ThreadState,
  placeholders: Placeholders,
): Promise<Readonly<Record<string, number>>> {
  const messages = await listStored(state);
  return inPieces(findHighest(messages, placeholders), () => state.execution?.abortSignal);
}

function* findHighest(
  messages: readonly HookMessage[],
  { placed }: Placeholders,
): Pieces<Readonly<Record<string, number>>> {
  const highest = new Map<string, number>();
  for (const message of messages)
    for (const text of listTexts(message)) {
      for (const { label, number } of placed(text))
        if (label !== '' && number <= MAX_RESERVED)
          highest.set(label, Math.max(number, highest.get(label) ?? 0));
      if (fillsPiece(text.length)) yield;
    }
  return Object.fromEntries(highest);
}

/** The loop of a framework may keep its messages where no hook reads them. */
async function listStored(state: ThreadState): Promise<readonly HookMessage[]> {
  try {
    return await state.getMessages({ last: MAX_MESSAGES });
  } catch (error) {
    if (error instanceof RunError && error.code === 'unsupported') return [];
    throw error;
  }
}

/** All texts in a value, at any depth. */
function* listTexts(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      yield key;
      yield* listTexts(inner);
    }
}
