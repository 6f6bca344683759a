/** Chances that are the same in every run. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  part(): number;
  /** A whole number from 0 up to, but not including, `below`. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** So many digits; the first one is not 0. */
  digits(count: number): string;
  /** So many characters of an alphabet. */
  of(alphabet: string, count: number): string;
}

export function seededRandom(seed: string): Random {
  let state = hashText(seed);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const of = (alphabet: string, count: number): string =>
    Array.from({ length: count }, () => pick(Array.from(alphabet))).join('');
  const digits = (count: number): string =>
    count === 0 ? '' : of('123456789', 1) + of('0123456789', count - 1);
  return { part: next, below, pick, digits, of };
}

/** FNV-1a, spread. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The order of a shuffled list, the same in every run. Each name is hashed once: a comparison that hashes takes most of a bench's time. */
export function sortByChance<T>(list: readonly T[], nameIt: (one: T) => string): T[] {
  return list
    .map((one) => ({ one, rank: hashText(nameIt(one)) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}
