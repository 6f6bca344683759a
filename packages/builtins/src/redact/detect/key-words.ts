/** Splits a key into words in lower case, the same for `userDateOfBirth`, `user_date_of_birth` and `user-date-of-birth`. */
function splitWords(key: string): readonly string[] {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const words = split(key);
  if (cache.size >= MAX_CACHED) cache.clear();
  if (key.length <= MAX_CACHED_LENGTH) cache.set(key, words);
  return words;
}

/** The same keys come up again and again (bench `redact-time`). */
const cache = new Map<string, readonly string[]>();
const MAX_CACHED = 2000;
const MAX_CACHED_LENGTH = 60;

/** A placeholder in a key is a value of the key itself, and says nothing of the value under it. */
const PLACEHOLDER = /\[[A-Z][A-Z_]*_\d+\]/g;

function split(key: string): string[] {
  return key
    .replaceAll(PLACEHOLDER, ' ')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Words after a name that say which form its value has. */
const FORMS = new Set('value raw text string str iso formatted input date time year month day'.split(' '));

/** Whether a key ends in one of these names at a word boundary. Names are in lower case, without separators. */
export function keyEndsIn(key: string, names: ReadonlySet<string>): boolean {
  const words = splitWords(key);
  if (endsIn(words, names)) return true;
  return words.length > 1 && FORMS.has(words.at(-1) as string) && endsIn(words.slice(0, -1), names);
}

function endsIn(words: readonly string[], names: ReadonlySet<string>): boolean {
  let tail = '';
  for (let from = words.length - 1; from >= Math.max(0, words.length - 5); from--) {
    tail = (words[from] as string).replace(/\d+$/, '') + tail;
    if (names.has(tail)) return true;
  }
  return false;
}

/** A key that says little is read together with its parent: `dob: { value }` as `dob_value`. */
export function keyWithin(parent: string | undefined, key: string): string {
  return parent !== undefined && FORMS.has(key.toLowerCase()) ? `${parent}_${key}` : key;
}

/** Whether a key contains one of these names at word boundaries. Names are in lower case, without separators. */
export function keyHas(key: string, names: ReadonlySet<string>): boolean {
  const words = splitWords(key);
  for (let from = 0; from < words.length; from++) {
    let run = '';
    for (const word of words.slice(from, from + 4)) {
      run += word;
      if (names.has(run)) return true;
    }
  }
  return false;
}
