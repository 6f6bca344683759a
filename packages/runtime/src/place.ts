/**
 * Where in a turn something happens. Ids are derived from it, so that what happens again after a crash has the ids that it
 * had before (design §7.4).
 */
export class Place {
  /** The id of the message that belongs to this place, such as `<turn>.2.answer`. */
  readonly id: string;
  /** Takes what hooks have for the conversation, where the results of a batch are waited for. */
  contexts: string[] | undefined;
  #written = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** The id of the next thing that hooks and tools write from here. */
  nextId(): string {
    this.#written++;
    return `${this.id}.i${this.#written}`;
  }
}
