/** What {@link findText} needs to know. */
export interface FindTextOptions {
  /** What may hold the text: the model and the tools of the test itself. */
  readonly apart?: readonly unknown[];
}

interface Search {
  /** The paths of each text. */
  readonly found: ReadonlyMap<string, string[]>;
  readonly seen: Set<unknown>;
  /** What is looked through once it has settled. */
  readonly waiting: (readonly [promise: PromiseLike<unknown>, path: string])[];
}

/**
 * Looks for a text in all that can be reached from a value: own and inherited accessors, what enumerates and what does not, keys, maps and
 * sets, bytes, errors with their causes, and what promises become. A framework keeps what it was told in more places than one thinks of.
 *
 * @returns the path of each place that holds it, such as `.steps[0].response.body`
 */
export async function findText(
  value: unknown,
  text: string,
  { apart = [] }: FindTextOptions = {},
): Promise<string[]> {
  return (await findTexts(value, [text], { apart })).get(text) ?? [];
}

/** The same for several texts, in one walk. */
export async function findTexts(
  value: unknown,
  texts: readonly string[],
  { apart = [] }: FindTextOptions = {},
): Promise<ReadonlyMap<string, string[]>> {
  const found = new Map(texts.map((text) => [text, [] as string[]]));
  const search: Search = { found, seen: new Set(apart), waiting: [] };
  look(search, value, '');
  while (search.waiting.length > 0) {
    const settled = search.waiting
      .splice(0)
      .map(async ([promise, path]) => [await settle(promise), path] as const);
    for (const [result, path] of await Promise.all(settled)) look(search, result, `await ${path}`);
  }
  return found;
}

function note({ found }: Search, holder: { includes(text: string): boolean }, path: string): void {
  for (const [text, paths] of found) if (holder.includes(text)) paths.push(path);
}

/** Accessors may make a new object each time that they are read. */
const MOST_OBJECTS = 1_000_000;

function look(search: Search, value: unknown, path: string): void {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function'))
    note(search, String(value), path);
  else if (!search.seen.has(value)) lookInto(search, value, path);
}

function lookInto(search: Search, value: object, path: string): void {
  search.seen.add(value);
  if (search.seen.size > MOST_OBJECTS) throw new Error(`Something makes new objects without end at ${path}.`);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    lookAtBytes(search, value, path);
    return;
  }
  if (isThenable(value)) search.waiting.push([value, path]);
  if (value instanceof Map || value instanceof Set) lookAtEntries(search, value, path);
  lookAtProperties(search, value, path);
}

function lookAtBytes(search: Search, value: ArrayBufferView | ArrayBuffer, path: string): void {
  const bytes = ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value);
  note(search, bytes, path);
}

function lookAtEntries(search: Search, entries: Map<unknown, unknown> | Set<unknown>, path: string): void {
  let at = 0;
  for (const [key, entry] of entries.entries()) {
    look(search, key, `${path}.key(${at})`);
    look(search, entry, `${path}.entry(${at++})`);
  }
}

/** Those of its prototypes too: accessors of a class are what a framework's results are made of. */
function lookAtProperties(search: Search, value: object, path: string): void {
  for (
    let owner: object | null = value;
    owner !== null && !isOfPlatform(owner);
    owner = Object.getPrototypeOf(owner)
  )
    for (const key of Reflect.ownKeys(owner)) {
      if (key === 'constructor' || key === 'prototype') continue; // Accessors keep what they make: of a prototype alone that is nonsense.
      const at = `${path}${typeof key === 'symbol' ? `[${String(key)}]` : /^\d+$/.test(key) ? `[${key}]` : `.${key}`}`;
      if (typeof key === 'string') note(search, key, `key ${at}`);
      look(search, readProperty(value, key), at);
    }
}

const platform: ReadonlySet<unknown> = new Set(
  [Object, Function, Array, Promise, Map, Set, RegExp, Date, ReadableStream, AbortSignal, EventTarget].map(
    ({ prototype }) => prototype,
  ),
);
const isOfPlatform = (owner: object): boolean => platform.has(owner);

function readProperty(value: object, key: string | symbol): unknown {
  try {
    return Reflect.get(value, key);
  } catch (error) {
    return error;
  }
}

const isThenable = (value: object): value is PromiseLike<unknown> =>
  typeof readProperty(value, 'then') === 'function';

/** What a promise becomes; nothing where that takes long, as where a stream would have to be read for it. */
function settle(promise: PromiseLike<unknown>): Promise<unknown> {
  const patience = new Promise((resolve) => setTimeout(resolve, 200).unref());
  return Promise.race([Promise.resolve(promise).catch((error: unknown) => error), patience]);
}
