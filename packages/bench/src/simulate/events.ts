/** What happens, by its time: a binary heap. */
export class Events<Event> {
  readonly #heap: { readonly at: number; readonly event: Event }[] = [];

  get size(): number {
    return this.#heap.length;
  }

  add(at: number, event: Event): void {
    const heap = this.#heap;
    heap.push({ at, event });
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (this.#at(parent) <= this.#at(child)) return;
      this.#swap(parent, child);
      child = parent;
    }
  }

  /** The earliest one; `undefined` if there is none. */
  take(): { readonly at: number; readonly event: Event } | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1;
      const least = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(least) >= this.#at(parent)) return first;
      this.#swap(parent, least);
      parent = least;
    }
  }

  #at(place: number): number {
    return this.#heap[place]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) return;
    this.#heap[a] = other;
    this.#heap[b] = one;
  }
}
