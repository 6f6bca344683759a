const NAMED = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(:?[-=+?])?)/g;

/** The variables that a shell line names: `$NAME`, `${NAME}`, `${NAME:-default}`. Each once. */
export function namedVariables(line: string): string[] {
  return unique([...line.matchAll(NAMED)]);
}

/**
 * Those of {@link namedVariables} in capitals, as formats call theirs, that are named at least once without saying what holds where they are
 * empty, as `${NAME:-default}` does.
 */
export function neededVariables(line: string): string[] {
  const needed = [...line.matchAll(NAMED)].filter(([, , , alternative]) => alternative === undefined);
  return unique(needed).filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name));
}

function unique(found: readonly RegExpMatchArray[]): string[] {
  return [...new Set(found.map(([, bare, braced]) => (bare ?? braced) as string))];
}

/** Whether a shell line itself sets a variable: `NAME=…`, `for NAME in`, `read NAME`. */
export function setsVariable(line: string, name: string): boolean {
  return new RegExp(`(?:^|[\\s;&|(])(?:${name}=|for ${name} |read (?:-\\w+ )*${name}\\b)`).test(line);
}
