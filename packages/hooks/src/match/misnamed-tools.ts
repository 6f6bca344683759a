/** A name in a matcher that no tool has, and the tool with nearly the same name. */
export interface MisnamedTool {
  readonly written: string;
  readonly meant: string;
}

/**
 * The names in a matcher that differ from a tool's only in case or separators, such as `RunCommand` for `run_command`. Names are compared
 * exactly, so that part of the matcher never matches. Skips patterns with `*` and regular expressions that are not just names.
 *
 * @param source the matcher as text, as a compiled matcher keeps it
 */
export function findMisnamedTools(source: string, tools: Iterable<string>): MisnamedTool[] {
  const all = [...tools];
  const known = new Set(all);
  return namesIn(source).flatMap((written) => {
    if (known.has(written)) return [];
    const meant = all.find((tool) => toLetters(tool) === toLetters(written));
    return meant === undefined ? [] : [{ written, meant }];
  });
}

/** The names in a string of tools, in the tools of an object, and in a regular expression that is just names. */
function namesIn(source: string): string[] {
  const ofObject = /^(?:tools|paths|commands|input\b[^:]*): /.exec(source)?.[0];
  if (ofObject !== undefined && !source.startsWith('tools: ')) return [];
  const [tools = ''] = source.slice(ofObject?.length ?? 0).split(', ');
  const isRegex = /^[/^]/.test(tools);
  if (isRegex && /\/[a-z]*i[a-z]*$/.test(tools)) return [];
  return tools
    .replace(/^\/|\/[a-z]*$/g, '')
    .replace(/^\^\(?(?:\?:)?|\)?\$$/g, '')
    .split(/\|(?![^()]*\))/)
    .map((part) => part.replace(/\([^()]*\)$/, '').trim())
    .filter((name) => /^[\p{L}\p{N}_.:@-]+$/u.test(name) && !(isRegex && name.includes('.')));
}

function toLetters(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}
