/** Any run of items, including an empty one. */
export const ANY_RUN: unique symbol = Symbol('any run');

/** One step of a pattern: any run of items, an item to equal, or a test of one item. */
export type PatternStep<Item> = typeof ANY_RUN | Item | ((item: Item) => boolean);

/**
 * Whether a sequence fits a pattern as a whole. It backtracks only to the last run, which is enough because runs take anything.
 * So the time is at most the product of both lengths, whatever the pattern.
 */
export function fits<Item extends string>(
  pattern: readonly PatternStep<Item>[],
  items: ArrayLike<Item>,
): boolean {
  let step = 0;
  let at = 0;
  let lastRun = -1;
  let retryAt = 0;
  while (at < items.length) {
    const wanted = pattern[step];
    if (wanted === ANY_RUN) {
      lastRun = step++;
      retryAt = at;
    } else if (wanted !== undefined && accepts(wanted, items[at] as Item)) {
      step++;
      at++;
    } else if (lastRun >= 0) {
      step = lastRun + 1;
      at = ++retryAt;
    } else {
      return false;
    }
  }
  while (pattern[step] === ANY_RUN) step++;
  return step === pattern.length;
}

/** A text with `*` for any run of characters, as a pattern over UTF-16 units. */
export function wildcardSteps(text: string): PatternStep<string>[] {
  return text.split('').map((char) => (char === '*' ? ANY_RUN : char));
}

function accepts<Item>(wanted: Item | ((item: Item) => boolean), item: Item): boolean {
  return typeof wanted === 'function' ? (wanted as (item: Item) => boolean)(item) : wanted === item;
}
