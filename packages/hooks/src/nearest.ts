/**
 * The candidate that a name was probably meant to be: one that begins as it does, as `before_tool_call` does for `before_tool`, or that is its
 * singular or plural, else the one with the smallest edit distance; `undefined` where none is near.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates];
  return all.find((candidate) => areOneWord(name, candidate)) ?? nearestByEdits(name, all);
}

const MIN_BEGINNING = 4;

function areOneWord(name: string, candidate: string): boolean {
  if (toSingular(name) === toSingular(candidate)) return true;
  const [short, long] = name.length < candidate.length ? [name, candidate] : [candidate, name];
  return short.length >= MIN_BEGINNING && long.startsWith(short);
}

function toSingular(word: string): string {
  return word.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
}

function nearestByEdits(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, swap);
    }
    row = next;
  }
  return row[b.length] as number;
}
