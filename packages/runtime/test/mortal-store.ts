import type { Store } from '../src/index.ts';

/** When the process dies: before a write, or right after one. */
export interface Death {
  readonly atWrite: number;
  readonly when: 'before' | 'after';
  /** Called at that moment. */
  readonly onDeath?: () => void;
}

const writing: ReadonlySet<string> = new Set([
  'createThread',
  'append',
  'post',
  'updateMessage',
  'deleteMessage',
  'setValue',
  'setValuesIf',
  'writeFile',
  'deleteFile',
  'acquireLease',
  'takeOver',
  'renewLease',
]);

/** Life and death of one process: all that asks it dies with it. */
export class Mortality {
  writes = 0;
  isDead = false;
  readonly #death: Death | undefined;

  constructor(death?: Death) {
    this.#death = death;
  }

  die(): void {
    this.isDead = true;
    this.#death?.onDeath?.();
  }

  /** The store as the process that may die has it. */
  storeOf(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as unknown;
        if (typeof method !== 'function') return method;
        return (...args: unknown[]) => this.#call(String(name), () => method.apply(target, args));
      },
    });
  }

  async #call(name: string, run: () => Promise<unknown>): Promise<unknown> {
    if (this.isDead) return new Promise(() => {});
    const number = writing.has(name) ? ++this.writes : 0;
    const dies = number > 0 && number === this.#death?.atWrite;
    if (dies && this.#death?.when === 'before') {
      this.die();
      return new Promise(() => {});
    }
    const given = await run();
    if (dies) this.die();
    return this.isDead ? new Promise(() => {}) : given;
  }
}
