import { type Scope, whereThrown } from '@spec/hooks';
import { hasStream, hooksOnContent, StreamError, TextWindow } from '@spec/hooks/host';
import type { ThreadCore } from '../thread/core.ts';
import { warn } from '../warn.ts';

/** Whether the text of answers leaves while the model writes, and if not, because of whom. */
export interface Streaming {
  readonly streams: boolean;
  /** Whether the runtime was told to let text out that a hook could still change (`stream: 'raw'`). */
  readonly raw: boolean;
  /** How many characters at least the text stays behind the model, for hooks with a `stream`; 0 where it leaves at once, or whole. */
  readonly holdBack: number;
  /** The ids of the hooks that all of the text waits for, in the order in which they run. */
  readonly heldBackBy: readonly string[];
}

/** Text leaves while the model writes only as far as no hook in scope could still change it (design §7.1). */
export function chooseStreaming(scope: Scope, raw: boolean): Streaming {
  if (raw) return { streams: true, raw, holdBack: 0, heldBackBy: [] };
  const changing = hooksOnContent(scope);
  const heldBackBy = changing.filter((hook) => !hasStream(hook)).map(({ id }) => id);
  const streams = heldBackBy.length === 0;
  const holdBack = changing.reduce((sum, hook) => sum + (streams && hasStream(hook) ? hook.holdBack : 0), 0);
  return { streams, raw, holdBack, heldBackBy };
}

/** The text of one answer on its way to the listeners. */
export interface TextRelease {
  /** What has left. */
  readonly released: string;
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
 * R3 Hooks with a `stream` let out what they would not change. Where such a function fails, the rest waits until it is stored.
 * R4 Where what is stored is no continuation of what has left, it follows whole, after an empty line.
 */
export function releaseText(core: ThreadCore, messageId: string): TextRelease {
  return new Release(core, messageId);
}

class Release implements TextRelease {
  released = '';
  readonly #core: ThreadCore;
  readonly #messageId: string;
  #asked: Scope | undefined;
  #window: TextWindow | undefined;
  #isHeld = false;

  constructor(core: ThreadCore, messageId: string) {
    this.#core = core;
    this.#messageId = messageId;
  }

  readonly add = (piece: string): void => {
    const { scope, runtime } = this.#core;
    const left = scope === this.#asked ? '' : this.#ask(scope, runtime.streamsRaw);
    if (this.#isHeld) return;
    this.#window?.add(piece);
    this.#release(left + (this.#window === undefined ? piece : this.#take(this.#window)));
  };

  end(stored: string | null): void {
    const { released } = this;
    this.#core.events.write(undefined);
    const isWhole = !this.#isHeld && this.#window === undefined && released !== '';
    if (isWhole || stored === released) return;
    const isContinued = (stored ?? '').startsWith(released);
    if (!isContinued && !this.#isHeld) this.#warnOfOthers();
    if (stored) this.#tell(isContinued ? stored.slice(released.length) : `\n\n${stored}`);
  }

  /** @returns what waited for hooks that are gone */
  #ask(scope: Scope, raw: boolean): string {
    this.#asked = scope;
    const { streams } = chooseStreaming(scope, raw);
    this.#isHeld ||= !streams;
    const hooks = streams && !raw ? hooksOnContent(scope).filter(hasStream) : [];
    const waiting = this.#window?.waiting ?? '';
    this.#window =
      hooks.length === 0 ? undefined : new TextWindow(hooks, { released: this.released, waiting });
    return this.#window === undefined ? waiting : '';
  }

  /** Nobody waits for what nobody hears: without listeners no hook looks at the text before it is complete. */
  #take(window: TextWindow): string {
    if (!this.#core.events.hasListeners) return '';
    try {
      return window.take();
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      this.#isHeld = true;
      const { cause, hookId } = error;
      const how =
        cause === undefined
          ? 'gave no text'
          : `failed: ${whereThrown(cause) ?? 'it threw a value that is no error'}`;
      this.#warn(hookId, `its function stream ${how}. The rest of the answer waits until it is stored.`);
      return '';
    }
  }

  #release(text: string): void {
    if (text === '') return;
    const { released } = this;
    if (released === '') this.#core.events.write({ messageId: this.#messageId, soFar: () => this.released });
    this.released = released + text;
    this.#tell(text);
  }

  #tell(text: string): void {
    this.#core.events.emit({ type: 'text', text, messageId: this.#messageId });
  }

  #warnOfOthers(): void {
    const ids = hooksOnContent(this.#core.scope)
      .filter(hasStream)
      .map(({ id }) => id);
    if (ids.length > 0)
      this.#warn(
        ids.join('", "'),
        'what was stored is no continuation of what its function stream let out. It must change whatever execute changes.',
      );
  }

  #warn(hookId: string, sentence: string): void {
    warn(`Hook "${hookId}" on thread ${this.#core.id}: ${sentence}`, {
      type: 'HookStreamWarning',
      code: 'HOOK_STREAM_FAILED',
    });
  }
}
