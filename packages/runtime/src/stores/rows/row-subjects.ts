import type { RunSubject } from '@spec/hooks';

/**
 * The subject of a run in its row, in as few bytes as possible:
 * a text where the row first names it (`c` and the id of a call; `m` and the id of a message; `t` and the rest of a message id that begins with
 * the row's turn), `AS_BEFORE` for the subject of the run before, `NOTHING`, or otherwise `NAMED` and the number of the text.
 */
export type PackedSubject = string | number;

const AS_BEFORE = 0;
const NOTHING = 1;
const NAMED = 2;

/** Packs the subjects of the runs of one row, one after another. */
export class SubjectPacker {
  readonly #turnId: string | null;
  readonly #named: string[] = [];
  #before: string | undefined;

  constructor(turnId: string | null) {
    this.#turnId = turnId;
  }

  pack(about: RunSubject | undefined): PackedSubject {
    const text = about && this.#write(about);
    if (text === this.#before) return AS_BEFORE;
    this.#before = text;
    if (text === undefined) return NOTHING;
    const known = this.#named.indexOf(text);
    if (known >= 0) return NAMED + known;
    this.#named.push(text);
    return text;
  }

  #write({ message, call }: RunSubject): string {
    if (message === undefined) return `c${call}`;
    const turnId = this.#turnId;
    return turnId !== null && message.startsWith(turnId) ? `t${message.slice(turnId.length)}` : `m${message}`;
  }
}

/** Reads the output of {@link SubjectPacker} in the same order. */
export class SubjectReader {
  readonly #turnId: string | null;
  readonly #named: RunSubject[] = [];
  #before: RunSubject | undefined;

  constructor(turnId: string | null) {
    this.#turnId = turnId;
  }

  /** @throws if it was never written by this package */
  read(packed: PackedSubject): RunSubject | undefined {
    if (packed !== AS_BEFORE) this.#before = this.#find(packed);
    return this.#before;
  }

  #find(packed: PackedSubject): RunSubject | undefined {
    if (packed === NOTHING) return undefined;
    if (typeof packed === 'string') {
      const subject = this.#readText(packed);
      this.#named.push(subject);
      return subject;
    }
    const known = this.#named[packed - NAMED];
    if (known === undefined) throw new TypeError('no subject of a run');
    return known;
  }

  #readText(text: string): RunSubject {
    const id = text.slice(1);
    if (text.startsWith('c')) return { call: id };
    if (text.startsWith('m')) return { message: id };
    if (!text.startsWith('t') || this.#turnId === null) throw new TypeError('no subject of a run');
    return { message: `${this.#turnId}${id}` };
  }
}
