import type { Scope } from '@spec/hooks';
import type { ThreadCore } from '../thread/core.ts';

/** Whether the text of answers leaves while the model writes, and if not, because of whom. */
export interface Streaming {
  readonly streams: boolean;
  /** Whether the runtime was told to let text out that a hook could still change (`stream: 'raw'`). */
  readonly raw: boolean;
  /** The ids of the hooks that text waits for, in the order in which they run. */
  readonly heldBackBy: readonly string[];
}

/** Text leaves while the model writes only where no hook in scope could still change it (design §7.1). */
export function chooseStreaming({ before_create_message: chain = [] }: Scope, raw: boolean): Streaming {
  if (raw) return { streams: true, raw, heldBackBy: [] };
  const heldBackBy = chain
    .filter(({ hook }) => mayChangeContent(hook.changes as readonly string[] | undefined))
    .map(({ hook }) => hook.id);
  return { streams: heldBackBy.length === 0, raw, heldBackBy };
}

function mayChangeContent(changes: readonly string[] | undefined): boolean {
  return changes === undefined || changes.includes('content');
}

/** The text of one answer on its way to the listeners. */
export interface TextRelease {
  /** A piece came from the model: it leaves, unless a hook could change it. */
  add(piece: string): void;
  /** The answer is stored: what has not left yet does. */
  end(stored: string | null): void;
}

/**
 * Lets an answer's text out (design §7.1).
 *
 * R1 Whether it may leave is asked at every piece: a skill may bring a hook while the model writes.
 * R2 What a hook held back once waits until it is stored, so that no piece leaves before one that came earlier.
 * R3 Where what is stored is no continuation of what has left, it follows whole, after an empty line.
 */
export function releaseText(core: ThreadCore, messageId: string): TextRelease {
  const { events, runtime } = core;
  let asked: Scope | undefined;
  let streams = false;
  let isHeld = false;
  let released = '';
  const tell = (text: string): void => events.emit({ type: 'text', text, messageId });
  return {
    add(piece) {
      const { scope } = core;
      if (scope !== asked) ({ streams } = chooseStreaming(scope, runtime.streamsRaw));
      asked = scope;
      isHeld ||= !streams;
      if (isHeld) return;
      if (released === '') events.write({ messageId, soFar: () => released });
      released += piece;
      tell(piece);
    },
    end(stored) {
      events.write(undefined);
      if (!stored || (!isHeld && released !== '')) return;
      const isContinued = stored.startsWith(released);
      if (stored !== released) tell(isContinued ? stored.slice(released.length) : `\n\n${stored}`);
    },
  };
}
