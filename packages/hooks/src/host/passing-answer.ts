import type { Scope } from '../define/scope.ts';
import type { HookToolCall } from '../vocabulary/messages.ts';
import { passAnswer, type Said } from './pass-messages.ts';
import { hasStream, hooksOnContent, StreamError, TextWindow } from './text-window.ts';
import type { HostTurn } from './turn.ts';

/**
 * An answer that a model streams, on its way to the application.
 *
 * P1 Text leaves behind the windows of hooks that have a `stream`; where one has none, it leaves at the end, when its chain has passed.
 * P2 Calls of tools leave when the chain has passed: what it strips is not run.
 * P3 Where what the chain made is no continuation of what has left, it follows whole, after an empty line.
 */
export class PassingAnswer {
  readonly #turn: HostTurn;
  readonly #window: TextWindow | undefined;
  readonly #calls: HookToolCall[] = [];
  #text: string | null = null;
  #isHeld: boolean;
  #released = '';
  #isChanged = false;

  constructor(turn: HostTurn, scope: Scope) {
    this.#turn = turn;
    const hooks = hooksOnContent(scope);
    this.#isHeld = !hooks.every(hasStream);
    if (hooks.length > 0 && !this.#isHeld) this.#window = new TextWindow(hooks.filter(hasStream));
  }

  /** @returns what of the text may leave now */
  add(delta: string): string {
    this.#text = (this.#text ?? '') + delta;
    if (this.#isHeld) return '';
    const taken = this.#window === undefined ? delta : this.#take(this.#window, delta);
    this.#released += taken;
    return taken;
  }

  #take(window: TextWindow, delta: string): string {
    window.add(delta);
    try {
      return window.take();
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      this.#isHeld = true;
      return '';
    }
  }

  addCall(call: HookToolCall): void {
    this.#calls.push(call);
  }

  /** The model has ended its answer: sends it through its chains. @returns what is left to leave: the rest of the text, and the calls */
  async finish(): Promise<Said> {
    const said: Said = { text: this.#text, calls: this.#calls };
    const passed = await passAnswer(this.#turn, said);
    this.#isChanged = passed !== said;
    return this.release(passed);
  }

  /** Whether hooks have changed the answer that has ended. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** What of an answer that has passed its chains is left to leave. */
  release({ text, calls }: Said): Said {
    const passed = text ?? '';
    const isContinued = passed.startsWith(this.#released);
    return { text: isContinued ? passed.slice(this.#released.length) : `\n\n${passed}`, calls };
  }
}
