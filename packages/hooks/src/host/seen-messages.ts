/** A message of a loop, as much of it as tells it from the others. */
export interface ShownMessage {
  readonly role: string;
  /** The same for the same message, whenever it is shown. */
  readonly key: string;
  /** Whether the loop made it in this turn: an answer of its model, or a result of its tools. */
  readonly isOwn: boolean;
}

/**
 * What a message is that a loop shows to its model:
 * - `known`: it was there before, or the loop made it;
 * - `added`: somebody has put it there meanwhile;
 * - `rewritten`: it stands in the place of a message with its role that was there the last time, and is there no more.
 */
export type Novelty = 'known' | 'added' | 'rewritten';

/**
 * The messages of one turn, as its loop shows them again at each step. Whoever runs the loop may add to them, leave some out and rewrite
 * others, and says nothing of it.
 *
 * N1 A message that comes again is known, also where it was left out meanwhile. Two that say the same are two.
 * N2 What is new between two that are known stands in the place of what was between them, one for one of each role; what is left over is
 *    added. Nothing takes the place of what was there before an answer by standing behind it.
 */
export class SeenMessages {
  readonly #counts = new Map<string, number>();
  #last: readonly ShownMessage[] = [];

  /** What each message is. All of the first time are known: they are the conversation that the turn begins with. */
  look(shown: readonly ShownMessage[]): Novelty[] {
    const isFirst = this.#counts.size === 0;
    const isNew = this.#findNew(shown).map((one) => one && !isFirst);
    const novelties = isNew.includes(true) ? this.#compare(shown, isNew) : shown.map((): Novelty => 'known');
    this.#last = shown;
    return novelties;
  }

  /** Which of them were never shown: of those that say the same, the later ones. */
  #findNew(shown: readonly ShownMessage[]): boolean[] {
    const counts = new Map<string, number>();
    return shown.map(({ key, isOwn }) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const isNew = count > (this.#counts.get(key) ?? 0);
      if (isNew) this.#counts.set(key, count);
      return isNew && !isOwn;
    });
  }

  #compare(shown: readonly ShownMessage[], isNew: readonly boolean[]): Novelty[] {
    const places = this.#findPlaces(shown, isNew);
    const replaced = new Set<number>();
    return shown.map(({ role }, at): Novelty => {
      if (isNew[at] !== true) return 'known';
      const from = places.slice(0, at).findLast((place) => place !== undefined) ?? -1;
      const to = places.slice(at + 1).find((place) => place !== undefined) ?? this.#last.length;
      const gone = this.#last.findIndex(
        (one, place) => place > from && place < to && one.role === role && !replaced.has(place),
      );
      if (gone < 0) return 'added';
      replaced.add(gone);
      return 'rewritten';
    });
  }

  /** Where the last time had the messages that are known; its end for what the loop has made since. */
  #findPlaces(shown: readonly ShownMessage[], isNew: readonly boolean[]): (number | undefined)[] {
    let next = 0;
    return shown.map(({ key, isOwn }, at) => {
      if (isNew[at] === true) return undefined;
      const place = this.#last.findIndex((one, index) => index >= next && one.key === key);
      if (place < 0) return isOwn ? this.#last.length : undefined;
      next = place + 1;
      return place;
    });
  }
}
