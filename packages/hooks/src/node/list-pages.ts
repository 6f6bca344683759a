/** One page of a list that somebody else's server tells. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string | undefined;
}

/** How a list is asked for, and how it is refused. */
export interface Listing<Item> {
  /** What an item is, as one word: `tool`. */
  readonly item: string;
  /** For all pages together, in milliseconds. */
  readonly timeoutMs: number;
  /** Of all pages together, as JSON. Default: 64 Mi. */
  readonly maxCharacters?: number;
  /** Gives the page of a cursor within so many milliseconds. */
  readonly ask: (cursor: string | undefined, timeoutMs: number) => Promise<ListPage<Item>>;
  /** Makes the error of a server that lists too much. */
  readonly refuse: (what: string) => Error;
}

/** What a server may list: far more than any model takes, and little enough to hold. */
const MAX_PAGES = 1_000;
const MAX_ITEMS = 20_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * All items of a server's list, page by page. A server decides when it has told all: its pages, its items, their size and the time for
 * all of them are bounded, and a cursor that comes again ends the listing.
 */
export async function listAllPages<Item>({
  item,
  timeoutMs,
  maxCharacters = MAX_CHARACTERS,
  ask,
  refuse,
}: Listing<Item>): Promise<Item[]> {
  const until = performance.now() + timeoutMs;
  const items: Item[] = [];
  const asked = new Set<string>();
  let characters = 0;
  for (let cursor: string | undefined; ; ) {
    const left = until - performance.now();
    if (left <= 0) throw refuse(`did not tell all its ${item}s within ${timeoutMs} ms`);
    const page = await ask(cursor, left);
    if (items.length + page.items.length > MAX_ITEMS) throw refuse(`lists more than ${MAX_ITEMS} ${item}s`);
    for (const one of page.items) items.push(one);
    const measured = countCharacters(page.items);
    if (measured === undefined) throw refuse(`describes a ${item} that is nested too deep to be read`);
    characters += measured;
    if (characters > maxCharacters)
      throw refuse(`tells more than ${maxCharacters} characters of its ${item}s`);
    const { nextCursor } = page;
    if (nextCursor === undefined) return items;
    if (asked.has(nextCursor)) throw refuse(`lists its ${item}s in a circle: a cursor came again`);
    if (asked.size === MAX_PAGES) throw refuse(`lists its ${item}s on more than ${MAX_PAGES} pages`);
    asked.add(nextCursor);
    cursor = nextCursor;
  }
}

/** The characters of their JSON; `undefined` if it is nested so deep that it cannot be written. */
function countCharacters(items: readonly unknown[]): number | undefined {
  try {
    return JSON.stringify(items).length;
  } catch {
    return undefined;
  }
}
