import { DefinitionError } from '@spec/hooks';

/** The models and tools that were given the hooks. Given them again, every hook would run twice: a limit would count double, and a person be asked twice. */
export class HookedOnce {
  readonly #hooked = new WeakSet<object>();

  /** @throws {DefinitionError} `bad_option` */
  refuse(what: string, given: object): void {
    if (!this.#hooked.has(given)) return;
    throw new DefinitionError(
      'bad_option',
      `The ${what} has these hooks already: give hooked the model and the tools as they were, once for each call.`,
    );
  }

  note(hooked: object): void {
    this.#hooked.add(hooked);
  }
}
