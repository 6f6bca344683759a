/** The most globs that one glob with `{a,b}` may become; no sensible glob becomes more. */
const MAX_ALTERNATIVES = 256;

/** Makes the error for a glob: what is wrong with it, and what to do. */
export type RefuseGlob = (problem: string, remedy?: string) => Error;

/** Expands every `{a,b}`: `*.{ts,tsx}` becomes `*.ts` and `*.tsx`. @throws what `refuse` makes */
export function expandBraces(glob: string, refuse: RefuseGlob): string[] {
  const done: string[] = [];
  let open = [glob];
  while (open.length > 0) {
    const written = open.map((text) => ({ text, alternatives: innermostBraces(text, refuse) }));
    done.push(...written.filter(({ alternatives }) => alternatives === undefined).map(({ text }) => text));
    open = written.flatMap(({ alternatives }) => alternatives ?? []);
    if (done.length + open.length > MAX_ALTERNATIVES) {
      throw refuse(`stands for more than ${MAX_ALTERNATIVES} alternatives`, 'Write several globs.');
    }
  }
  return done;
}

/** Replaces the first braces without inner braces by each of their alternatives; `undefined` if there are none. */
function innermostBraces(text: string, refuse: RefuseGlob): string[] | undefined {
  let start = -1;
  let cuts: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at++;
    else if (char === '[') at = classEnd(text, at, refuse);
    else if (char === '{') [start, cuts] = [at, [at]];
    else if (char === ',' && start >= 0) cuts.push(at);
    else if (char === '}') {
      if (start < 0) throw refuse('has a "}" without its "{"');
      if (cuts.length === 1) throw refuse('has braces without a comma');
      const ends = [...cuts.slice(1), at];
      return ends.map(
        (end, i) => text.slice(0, start) + text.slice((cuts[i] as number) + 1, end) + text.slice(at + 1),
      );
    }
  }
  if (start >= 0) throw refuse('has a "{" without its "}"');
  return undefined;
}

/** The index of the `]` that closes a class: the first one that is neither escaped nor the first character of the class. */
export function classEnd(text: ArrayLike<string>, start: number, refuse: RefuseGlob): number {
  let at = start + 1;
  if (text[at] === '!' || text[at] === '^') at++;
  if (text[at] === ']') at++;
  while (at < text.length && text[at] !== ']') at += text[at] === '\\' ? 2 : 1;
  if (at >= text.length) throw refuse('has a "[" without its "]"');
  return at;
}
