import type { Scope } from '@spec/hooks';
import { hasStream, hooksOnContent, StreamError, TextWindow } from '@spec/hooks/host';

/** A text that leaves as far as no hook could still change it. */
export class PassingText {
  readonly #window: TextWindow | undefined;
  #isHeld: boolean;
  #released = '';

  constructor(scope: Scope) {
    const hooks = hooksOnContent(scope);
    this.#isHeld = !hooks.every(hasStream);
    if (hooks.length > 0 && !this.#isHeld) this.#window = new TextWindow(hooks.filter(hasStream));
  }

  /** @returns what of the text may leave now */
  add(delta: string): string {
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

  /** @returns the rest; the whole text after an empty line, where it does not go on from what has left */
  finish(text: string): string {
    return text.startsWith(this.#released) ? text.slice(this.#released.length) : `\n\n${text}`;
  }
}
